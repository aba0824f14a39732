// What tests start as a process of its own, to be killed: `<workspace> away`, `<workspace> back <month>` move
// mail of the mailbox `docs`; `<workspace> look <count>` prints what is unacknowledged there, again and again.
import { writeSync } from 'node:fs'
import { bringBack } from '../../src/records/signals/bring-back.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { putAway } from '../../src/records/signals/put-away.ts'

const [workspace = '', act = '', month = ''] = process.argv.slice(2)
const mailbox = new Mailbox('docs', workspace)
if (act === 'away') putAway(mailbox, workspace, Date.now())
if (act === 'back') await bringBack(mailbox, workspace, month)
if (act === 'look') {
  for (;;) {
    const names = new Mailbox('docs', workspace).unacknowledged().map(({ subject }) => subject)
    writeSync(1, `${names.join(',')}\n`)
  }
}
