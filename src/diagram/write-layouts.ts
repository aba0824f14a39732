// The entry by which the build lays out the machines that ship, into the directory named: nobody waits for it later.
import { compact } from './bundles.ts'
import { builtInCharts } from './diagram-files.ts'
import { layOut } from './lay-out.ts'

const [, , keepIn = 'dist/layouts'] = process.argv

async function write(): Promise<void> {
  for (const chart of builtInCharts())
    for (const drawn of [chart, compact(chart)]) await layOut(drawn, { from: [], keepIn })
}

void write()
