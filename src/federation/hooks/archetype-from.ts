import { registryStatus } from '../../../machines/registry-status.ts'
import type { StateMeta } from '../../../machines/team-event.ts'
import type { Logic } from '../../engine/decide/judge.ts'
import { guardNames, ownGuards, type Declared } from '../../engine/decide/transitions.ts'
import { problemsOf } from '../../protocol/problems.ts'
import { META, teamIdSchema } from '../../protocol/team-id.ts'
import { builtInArchetypes, type Archetype, type Milestone } from '../archetypes.ts'
import type { LeadAgent } from '../lead-agent.ts'
import type { ArchetypeDefinition } from './hook-definition.ts'
import { archetypeSchema } from './definition-schema.ts'
import { brokenLife } from './machine-life.ts'
import { brokenRules, nodesOf, transitionsOf, type MachineProblem } from './machine-rules.ts'
import { brokenWays } from './machine-reachability.ts'
import { ownLogic } from './own-logic.ts'
import { reasonOf } from './source-place.ts'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { isShipped, largestSkill } from '../../records/skills/skill.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { isWithin } from './hook-file.ts'

/** A problem, and the texts by which its line is looked for in the source. */
export interface NamedProblem {
  readonly message: string
  readonly about: readonly string[]
}

/** What an archetype has that says nothing else: an agent that only reads. */
const reader: LeadAgent = {
  role: 'Reader',
  temperature: 0.3,
  tools: ['view', 'grep', 'glob', 'bash'].map((name) => ({ name: name as 'view', readOnly: true })),
  responsibilities: [],
}

/** An archetype of a federation's own, or everything that is wrong with it. */
export function archetypeFrom(
  root: string,
  id: string,
  given: unknown,
): { readonly archetype: Archetype } | { readonly problems: readonly NamedProblem[] } {
  const fail = (problems: readonly MachineProblem[]) => ({
    problems: problems.map(({ message, about }) => ({
      message: `archetype '${id}': ${message}`,
      about: [...quoted(about), `${id}:`, ...quoted(id)],
    })),
  })
  const taken = [...builtInArchetypes.map((one) => one.id), registryStatus.id, META]
  if (taken.includes(id)) return fail([{ message: 'the name is taken; give it another', about: id }])
  if (!teamIdSchema.safeParse(id).success)
    return fail([{ message: "the name is not one; use words of a-z and 0-9 joined by '-'", about: id }])
  const parsed = archetypeSchema.safeParse(given)
  if (!parsed.success) {
    return fail(
      problemsOf(parsed.error).map(({ path: field, message }) => ({
        message: field === '' ? message : `${field}: ${message}`,
        about: field === '' ? '' : `${field.split('.').findLast((part) => !/^\d+$/.test(part))}:`,
      })),
    )
  }
  const definition = parsed.data
  const { machine, skills = ['domain-playbook.md'] } = definition
  const logic = ownLogic(root, definition)
  const problems = machineProblems(machine, id, logic)
  problems.push(
    ...milestoneProblems(definition),
    ...evidenceProblems(definition),
    ...ownSkillProblems(root, skills),
  )
  if (problems.length > 0) return fail(problems)
  return {
    archetype: {
      id,
      description: definition.description,
      logic,
      placement: definition.placement ?? 'directory',
      defaultTeam: definition.defaultTeam ?? id,
      skills,
      milestones: definition.milestones ?? milestonesOf(machine),
      leadAgent: { ...reader, ...definition.leadAgent },
      delivers: nodesOf(machine).some((node) =>
        transitionsOf(node).some((one) => guardNames(one as Declared).includes('meetsStandards')),
      ),
    },
  }
}

/** What is wrong with a machine; each look needs what the one before it found good. */
function machineProblems(machine: Machine, id: string, logic: Logic): MachineProblem[] {
  try {
    const problems = brokenRules(machine)
    if (machine.id !== id) {
      const message = `its machine has the id '${machine.id}'; both must be the same`
      problems.unshift({ message, about: `id: '${machine.id}'` })
    }
    if (problems.length > 0) return problems
    const lost = brokenWays(machine)
    return lost.length > 0 ? lost : brokenLife(logic)
  } catch (error) {
    // xstate reads parts of a literal only when they are needed, and names what it cannot find
    const message = reasonOf(error)
    return [{ message, about: /"([^"]+)"/.exec(message)?.[1] ?? 'states:' }]
  }
}

/** The forms in which a name stands in a source. */
function quoted(name: string): string[] {
  return name === '' ? [] : [`'${name}'`, `"${name}"`, name]
}

type Machine = ArchetypeDefinition['machine']

/** The way through a machine as its own states describe it: of each state, what the team itself reports. */
function milestonesOf(machine: Machine): Milestone[] {
  return nodesOf(machine).flatMap((node) =>
    node.type !== 'atomic' || node.key === 'paused' || (node.meta as StateMeta | undefined)?.waits
      ? []
      : transitionsOf(node).flatMap((transition) => {
          const [type, subject] = transition.eventType.split('.')
          if (type !== 'report' || subject === undefined || subject === '*') return []
          const [target] = transition.target ?? []
          return [
            {
              state: node.key,
              subject,
              ...optionsFor(guardNames(transition as Declared)),
              task: node.description ?? `do what leads to ${target?.key ?? subject}`,
            },
          ]
        }),
  )
}

function optionsFor(guards: readonly string[]): Pick<Milestone, 'options'> {
  if (guards.includes('testsPassedOnHead')) return { options: '--run "<test command>"' }
  return guards.includes('hasBody') || guards.includes('namesExistingPath')
    ? { options: '--body "<text>"' }
    : {}
}

/** Evidence that a guard asks for and no function finds out, and a function that nobody asks. */
function evidenceProblems({ machine, evidence = {} }: ArchetypeDefinition): MachineProblem[] {
  const asked = Object.entries(ownGuards(machine)).flatMap(([guard, { evidence: kinds = [] }]) =>
    kinds.flatMap((kind) => (kind.startsWith('own.') ? [{ guard, name: kind.slice('own.'.length) }] : [])),
  )
  return [
    ...asked
      .filter(({ name }) => !Object.hasOwn(evidence, name))
      .map(({ guard, name }) => ({
        message: `guard '${guard}' asks for own.${name}, which no function of 'evidence' finds out`,
        about: `own.${name}`,
      })),
    ...Object.keys(evidence)
      .filter((name) => asked.every((one) => one.name !== name))
      .map((name) => ({ message: `evidence: no guard asks for own.${name}`, about: name })),
  ]
}

function milestoneProblems({ machine, milestones = [] }: ArchetypeDefinition): MachineProblem[] {
  return milestones.flatMap(({ state, subject }) => {
    const node = nodesOf(machine).find(({ key, type }) => key === state && type === 'atomic')
    if (node === undefined) return [{ message: `milestones: there is no state '${state}'`, about: state }]
    const isTaken = transitionsOf(node).some(({ eventType }) => eventType === `report.${subject}`)
    return isTaken
      ? []
      : [{ message: `milestones: '${state}' does not take report.${subject}`, about: subject }]
  })
}

/** What is wrong with the skills that an archetype names: of fed's by name, of the repository's by path. */
function ownSkillProblems(root: string, skills: readonly string[]): MachineProblem[] {
  const names = skills.map((skill) => path.posix.basename(skill))
  return skills.flatMap((skill, index) => {
    const tell = (message: string) => [{ message: `skills: ${skill}: ${message}`, about: skill }]
    const name = names[index] as string
    if (names.indexOf(name) < index) return tell('another skill has that name')
    if (!skill.includes('/'))
      return isShipped(skill)
        ? []
        : tell("no such skill ships with fed; one of the repository's is named by its path, with a '/'")
    if (isShipped(name)) return tell('a skill that ships with fed has that name')
    if (!/^[\w][\w.-]*\.md$/.test(name))
      return tell('a skill is a Markdown file, such as skills/audit-standards.md')
    const file = path.resolve(root, skill)
    const outside = readOutside(file, { largestBytes: largestSkill, followLinks: true })
    if (outside.kind !== 'text')
      return tell(outside.kind === 'missing' ? 'there is no such file' : outside.fault)
    const isOwn =
      isWithin(realpathSync(root), realpathSync(file)) && !isWithin(federationLayout(root).fed, file)
    return isOwn ? [] : tell('it lies outside of the repository, or in .fed')
  })
}
