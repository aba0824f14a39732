import type { CommandTool } from './document-facts.ts'

export interface CommandName {
  tool: CommandTool
  name: string
  text: string
}

const NAME = String.raw`([\w][\w:.-]*)(?=\s|$|&|;|\|)`

const FORMS: [CommandTool, RegExp][] = [
  ['npm', new RegExp(String.raw`^(?:npm|pnpm|yarn|bun) run ${NAME}`)],
  ['make', /^make((?: [a-z][\w-]*)+)\s*$/],
  ...(['bin', 'example', 'test', 'bench'] as const).map((kind): [CommandTool, RegExp] => [
    `cargo ${kind}`,
    new RegExp(String.raw`^cargo (?:run|build|test|bench|install)\b.*?\s--${kind}[ =]${NAME}`),
  ]),
  [
    'cargo package',
    new RegExp(String.raw`^cargo (?:run|build|test|bench)\b.*?\s(?:-p|--package)[ =]${NAME}`),
  ],
]

/** The scripts and targets that a command line names. */
export function readCommands(line: string): CommandName[] {
  return line.split(/\s*(?:&&|;)\s*/).flatMap((command) =>
    FORMS.flatMap(([tool, form]) => {
      const names = form.exec(command)?.[1]?.trim().split(' ') ?? []
      return names.map((name) => ({ tool, name, text: tool === 'make' ? `make ${name}` : command.trim() }))
    }),
  )
}
