import path from 'node:path'
import fs from 'fs-extra'
import { coding } from '../../machines/coding.ts'
import { coordinator } from '../../machines/coordinator.ts'
import { consultant } from '../../machines/consultant.ts'
import { deliverable } from '../../machines/deliverable.ts'
import { task } from '../../machines/task.ts'
import { registryStatus } from '../../machines/registry-status.ts'
import { chartOf, type Chart } from './chart.ts'
import { toMermaid } from './mermaid.ts'
import { toSvg } from './svg.ts'

/** The machines of `machines/`, as charts. */
export function builtInCharts(): Chart[] {
  return [deliverable, coding, consultant, coordinator, task, registryStatus].map((machine) =>
    chartOf(machine),
  )
}

/** The content of each file of `diagrams/` that shows a machine, by the file's name. */
export async function diagramFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const chart of builtInCharts()) {
    files.set(`${chart.root.name}.svg`, await toSvg(chart))
    files.set(`${chart.root.name}.mmd`, toMermaid(chart))
  }
  return files
}

/** Writes all diagrams into a directory, which it makes; returns the files' paths. */
export async function writeDiagrams(dir: string): Promise<string[]> {
  return [...(await diagramFiles())].map(([name, content]) => {
    const file = path.join(dir, name)
    fs.outputFileSync(file, content)
    return file
  })
}
