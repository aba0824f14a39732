import { Argument, type Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export function registerCompletion(program: Command): void {
  declare(
    program,
    'completion',
    'Print a script by which a shell completes commands, options, teams and subjects',
    'fed completion fish > ~/.config/fish/completions/fed.fish',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
For good, in the shell's own start file:
  bash  echo 'eval "$(fed completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(fed completion zsh)"' >> ~/.zshrc     (below compinit)
  fish  fed completion fish > ~/.config/fish/completions/fed.fish`,
    )
    .action(async (shell: (typeof shells)[number], options: CommonOptions) => {
      const { completionScripts } = await import('../completion/completion-scripts.ts')
      print(options, { shell, script: completionScripts[shell] }, ({ script }) => script.trimEnd())
    })
}
