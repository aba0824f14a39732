import { Command, type Argument, type Option } from 'commander'
import { candidatesFor, lists, type Candidate, type Typed } from './candidates.ts'
import { oneLine } from '../plain-text.ts'

/** Every command by its name, with the function that declares it. */
export type Commands = Readonly<Record<string, (program: Command) => void>>

/**
 * What the word under the cursor may become, a line each: the candidate, and behind a tab what it means.
 * @param words what was typed behind `fed`, the last one as far as it is typed.
 */
export async function complete(commands: Commands, words: readonly string[]): Promise<string[]> {
  const [name = '', ...rest] = joined(words)
  const candidates = words.length < 2 ? commandsOf(commands, name) : await inCommand(commands, name, rest)
  return candidates.map(({ value, meaning }) =>
    meaning === undefined ? value : `${value}\t${oneLine(meaning)}`,
  )
}

/** bash takes `--type=re` apart at the sign. */
function joined(words: readonly string[]): string[] {
  const isSign = (at: number) => words[at] === '=' && (words[at - 1]?.startsWith('--') ?? false)
  const last = words.length - 1
  return words.flatMap((word, at) => (isSign(at) ? (at === last ? [''] : []) : [word]))
}

function commandsOf(commands: Commands, typed: string): Candidate[] {
  if (typed.startsWith('-')) return beginning(typed, [{ value: '--help' }, { value: '--version' }])
  const program = new Command()
  for (const register of new Set(Object.values(commands))) register(program)
  return beginning(typed, [
    ...program.commands.map(asCandidate),
    { value: 'help', meaning: 'Show the help of a command' },
  ])
}

function asCandidate(command: Command): Candidate {
  return { value: command.name(), meaning: command.description() }
}

async function inCommand(commands: Commands, name: string, words: readonly string[]): Promise<Candidate[]> {
  const current = words.at(-1) ?? ''
  if (name === 'help') return words.length === 1 ? commandsOf(commands, current) : []
  if (!Object.hasOwn(commands, name)) return []
  const program = new Command()
  commands[name]?.(program)
  const command = program.commands.find((one) => one.name() === name)
  if (command === undefined) return []
  const [inner] = command.commands
  if (inner === undefined) return inPlainCommand(command, words)
  const named = words.length > 1 ? command.commands.find((one) => one.name() === words[0]) : undefined
  if (named !== undefined) return inPlainCommand(named, words.slice(1))
  // without a name the first one runs
  const found = await inPlainCommand(inner, words)
  return words.length > 1 ? found : [...beginning(current, command.commands.map(asCandidate)), ...found]
}

async function inPlainCommand(command: Command, words: readonly string[]): Promise<Candidate[]> {
  const current = words.at(-1) ?? ''
  const { typed, open, isOver } = read(command, words.slice(0, -1))
  if (open !== undefined) return values(open, typed, current)
  if (!isOver && current.startsWith('--') && current.includes('=')) {
    const [flag = '', value = ''] = [
      current.slice(0, current.indexOf('=')),
      current.slice(current.indexOf('=') + 1),
    ]
    const option = command.options.find(({ long }) => long === flag)
    const found = option === undefined ? [] : await values(option, typed, value)
    return found.map((one) => (one.value.startsWith(':') ? one : { ...one, value: `${flag}=${one.value}` }))
  }
  const { registeredArguments: places } = command
  // the last one may take all that follow
  const argument = places[typed.positionals.length] ?? places.findLast(({ variadic }) => variadic)
  const isOption = !isOver && current.startsWith('-')
  if (argument !== undefined && !isOption) {
    const found = await values(argument, typed, current)
    // an option is no answer to a word that must come first
    if (found.length > 0 || argument.required) return found
  }
  return isOver ? [] : beginning(current, optionsOf(command, typed))
}

/** What was typed before the cursor: values of arguments and options, and an option that waits for its value. */
function read(
  command: Command,
  words: readonly string[],
): { readonly typed: Typed; readonly open?: Option; readonly isOver: boolean } {
  const positionals: string[] = []
  const options = new Map<string, string>()
  let open: Option | undefined
  let isOver = false
  for (const word of words) {
    if (open !== undefined) {
      options.set(open.attributeName(), word)
      open = undefined
    } else if (isOver || !word.startsWith('-') || word === '-') positionals.push(word)
    else if (word === '--') isOver = true
    else {
      const sign = word.indexOf('=')
      const flag = sign < 0 ? word : word.slice(0, sign)
      const option = command.options.find(({ long, short }) => long === flag || short === flag)
      if (option === undefined) continue
      if (option.isBoolean() || sign >= 0) options.set(option.attributeName(), word.slice(sign + 1))
      else open = option
    }
  }
  return { typed: { command: command.name(), positionals, options }, open, isOver }
}

async function values(place: Option | Argument, typed: Typed, current: string): Promise<Candidate[]> {
  if (place.argChoices !== undefined)
    return beginning(
      current,
      place.argChoices.map((value) => ({ value })),
    )
  const name = 'long' in place ? `--${place.name()}` : place.name()
  const comma = lists.has(name) ? current.lastIndexOf(',') + 1 : 0
  const found = await candidatesFor(name, typed)
  const before = current.slice(0, comma)
  const taken = before.split(',')
  return beginning(
    current,
    found
      .filter(({ value }) => comma === 0 || !taken.includes(value))
      .map((one) => ({ ...one, value: before + one.value })),
  )
}

function optionsOf(command: Command, { options }: Typed): Candidate[] {
  return [
    ...command.options
      .filter((option) => !option.hidden && !options.has(option.attributeName()))
      .map(({ long, short, description }) => ({ value: long ?? short ?? '', meaning: description })),
    { value: '--help', meaning: 'show the help of this command' },
  ]
}

/** Those that go on from what is typed; what the shell completes itself it also compares itself. */
function beginning(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed) || value.startsWith(':'))
}
