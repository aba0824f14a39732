// Proves that an agent can do what its skills say: every command is one that the command line takes, every event
// one that the machine knows, and no milestone is left out. It fails when either changes and a skill does not.
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { controlSubjects } from '../../machines/guards.ts'
import { commands } from '../../src/apps/cli/command-table.ts'
import { kebab } from '../../src/protocol/event-name.ts'
import { splitCommand } from '../../src/protocol/command-words.ts'
import { skillsOf, skillsOfMeta } from '../../src/records/skills/skill.ts'
import { builtIn } from '../../src/federation/catalogue.ts'

const eventsOf = (archetype: string): readonly string[] => builtIn.of(archetype).logic.machine.events
const nowhere = '/no-federation'
const config = { playbookSkill: 'domain-playbook' }
const teamSkills = builtIn.ids.flatMap((archetype) =>
  skillsOf(nowhere, builtIn.of(archetype).skills, config).map((skill) => ({ archetype, ...skill })),
)
const all = [...teamSkills, ...skillsOfMeta().map((skill) => ({ archetype: 'meta', ...skill }))]

/** Everything that a text shows as code: in a line, or in a block of commands. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, body = '']) => body.split('\n'))
  const inline = text.replace(/^ *(`{3,})[^]*?^ *\1$/gm, '').matchAll(/`([^`\n]+)`/g)
  return [...blocks, ...[...inline].map(([, code = '']) => code)].map((code) => code.trim())
}

const commandsIn = (text: string) => codeIn(text).filter((code) => code.startsWith('fed '))

/** What the command line says to it; undefined when it takes it. Nothing is carried out. */
function refusalOf(words: readonly string[]): string | undefined {
  const program = new Command('fed').exitOverride().configureOutput({ writeErr: () => undefined })
  const [name = ''] = words
  const register = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (register === undefined) return `there is no 'fed ${name}'`
  register(program)
  const silence = (command: Command): void => {
    command.action(() => undefined)
    command.commands.forEach(silence)
  }
  program.commands.forEach((command) =>
    command.commands.length === 0 ? silence(command) : command.commands.forEach(silence),
  )
  // the bare name of a command stands for the command
  if (words.length === 1) return undefined
  try {
    program.parse(words, { from: 'user' })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const wordsOf = (command: string) => splitCommand(command).slice(1)

describe.each(all)('$archetype: $file', ({ archetype, text: read }) => {
  const text = read()

  it('names commands and options that there are', () => {
    const found = commandsIn(text).map((command) => [command, refusalOf(wordsOf(command))])
    if (archetype !== 'deliverable') expect(found.length).toBeGreaterThan(0)
    expect(found.filter(([, refusal]) => refusal !== undefined)).toEqual([])
  })

  it('names events that the machine knows', () => {
    const told = commandsIn(text).flatMap((command) => {
      const [name = '', subject = ''] = wordsOf(command)
      return ['report', 'alert'].includes(name) && subject !== '' && !subject.startsWith('<')
        ? [`${name}.${kebab(subject)}`]
        : []
    })
    const written = codeIn(text).filter((code) => /^(?:directive|question|report|alert)\.[a-z-]+$/.test(code))
    const known = archetype === 'meta' ? builtIn.ids.flatMap(eventsOf) : eventsOf(archetype)
    expect([...told, ...written].filter((event) => !known.includes(event))).toEqual([])
  })

  it('steers by subjects that steer', () => {
    const subjects = commandsIn(text).flatMap(
      (command) => /--type directive --subject ([a-z-]+)/.exec(command)?.[1] ?? [],
    )
    expect(subjects.filter((subject) => !controlSubjects.includes(subject))).toEqual([])
  })
})

describe.each(builtIn.ids)('the skills of a %s team', (archetype) => {
  const { milestones } = builtIn.of(archetype)

  it.each(milestones)('say how to report $subject', ({ subject, options = '' }) => {
    expect(eventsOf(archetype)).toContain(`report.${subject}`)
    expect(refusalOf(['report', subject, ...(options === '' ? [] : splitCommand(options))])).toBeUndefined()
    const told = teamSkills
      .filter((skill) => skill.archetype === archetype)
      .flatMap((skill) => commandsIn(skill.text()))
    expect(
      told.filter((command) => wordsOf(command).slice(0, 2).join(' ') === `report ${subject}`),
    ).not.toEqual([])
  })

  it('say how each alert of the team itself ends the mission', () => {
    const told = teamSkills
      .filter((skill) => skill.archetype === archetype)
      .flatMap((skill) => commandsIn(skill.text()))
    const byFed = ['alert.session-exhausted', 'alert.codebase-modified']
    for (const event of eventsOf(archetype).filter((one) => one.startsWith('alert.') && !byFed.includes(one)))
      expect(told.some((command) => command.startsWith(`fed ${event.replace('.', ' ')} `))).toBe(true)
  })
})

it('a command that is none would be found', () => {
  expect(refusalOf(['reprot', 'x'])).toBe("there is no 'fed reprot'")
  expect(refusalOf(['learn', '--colour', 'red', 'x'])).toMatch(/unknown option/)
  expect(refusalOf(['learn', '--category', 'rumour', 'x'])).toMatch(/Allowed choices/)
  expect(refusalOf(['skills', 'sync', '--restore', 'a', 'b'])).toMatch(/too many arguments/)
})

it('the coordinator is told how to post a summary after each cycle', () => {
  const text = skillsOfMeta()[0]?.text() ?? ''
  for (const word of [
    'chatConfig.teamId',
    'chatConfig.channelId',
    '@<federationName>',
    'after every monitoring cycle',
  ])
    expect(text).toContain(word)
  for (const command of ['monitor', 'inbox', 'reply', 'ack', 'send', 'pause', 'resume', 'launch'])
    expect(commandsIn(text).some((one) => wordsOf(one)[0] === command)).toBe(true)
})
