// Logs a finding and sends a signal, again and again with rising numbers, and notes what each command ended with:
// `persistent.mjs <count>`. Started again it goes on behind the last number that it noted.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const note = path.join(process.env.FED_WORKSPACE, 'said.jsonl')
const said = existsSync(note) ? readFileSync(note, 'utf8').trim().split('\n') : []
const tell = (...words) => spawnSync('fed', words, { encoding: 'utf8' })
for (let number = said.length; number < Number(process.argv[2]); number += 1) {
  appendFileSync(note, '{}\n')
  const learned = tell('learn', `Finding ${number}.`)
  const sent = tell('send', 'meta', '--type', 'report', '--subject', `Report ${number}`)
  appendFileSync(`${note}.told`, `${JSON.stringify({ number, codes: [learned.status, sent.status] })}\n`)
}
tell('alert', 'information-missing', '--body', 'All was said')
