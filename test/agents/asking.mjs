// Asks what its arguments say, one question in each session, and ends its turn; done with them it does its job.
// `team:subject` asks a team; a question that was asked is asked again only when it is named twice.
import { spawnSync } from 'node:child_process'
import { starts, walk } from './work.mjs'

const question = process.argv[1 + starts]
if (question === undefined) await walk()
else {
  const [to, subject] = question.split(':')
  const { status, stderr } = spawnSync('fed', ['send', to, '--type', 'question', '--subject', subject], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}
