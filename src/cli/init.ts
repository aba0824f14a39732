import type { Command } from 'commander'
import { declare, type CommonOptions } from './command.ts'
import { print } from './output.ts'
import { startingFolder } from './scope.ts'

export function registerInit(program: Command): void {
  declare(program, 'init', 'Set up a federation in this repository', 'fed init --dir ~/code/shop').action(
    async (options: CommonOptions) => {
      const { initialize } = await import('../teams/init.ts')
      const { root, created } = initialize(startingFolder(options))
      print(options, { root, created }, () =>
        created ? `federation set up in ${root}` : `${root} is a federation already; nothing was changed`,
      )
    },
  )
}
