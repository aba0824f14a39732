import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print } from '../output.ts'
import { openScope, refuseMeta } from '../scope.ts'

export function registerOffboard(program: Command): void {
  declare(
    program,
    'offboard <team>',
    'Take a finished or archived team out of the federation; its work is kept',
    'fed offboard docs',
  )
    .addHelpText(
      'after',
      '\nWhat the team left (missions, deliverable, findings, signals, sessions) goes to .fed/archive/<team>/. Its' +
        '\nworktree and its branch are removed; commits that no other branch has, and what is uncommitted and git does' +
        '\nnot ignore, are kept under refs/fed/rescue/<team>/. The name can be used again: what a second team of it leaves goes to' +
        '\n.fed/archive/<team>.2/.',
    )
    .action(async (named: string, options: CommonOptions) => {
      refuseMeta(named)
      const { federation } = await openScope(options)
      const id = federation.addressOf(named)
      const { offboard } = await import('../../../agents/offboarding/offboard-team.ts')
      const offboarded = await offboard(federation, id)
      const { rescued, branch } = offboarded
      print(options, offboarded, ({ archive }) =>
        [
          `${id} is offboarded; ${existsSync(archive) ? `what it left is in ${archive}` : 'its workspace was gone already'}`,
          ...rescued.map(({ ref, subject }) => `kept under ${ref}: ${subject}`),
        ].join('\n'),
      )
      if (rescued.length > 0)
        note(
          options,
          `'git switch -c <branch> ${rescued.at(-1)?.ref}' brings such work back; 'git update-ref -d <ref>' gives it up`,
        )
      if (branch !== undefined) note(options, `branch ${branch} stays: it is checked out elsewhere`)
    })
}
