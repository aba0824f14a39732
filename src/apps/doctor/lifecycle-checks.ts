import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { isGone, readPresent } from '../../engine/step/present.ts'
import { step } from '../../engine/step/step.ts'
import { leafOf } from '../../engine/decide/transitions.ts'
import type { Actor } from '../../engine/step/world.ts'
import { LifecycleGoneError } from '../../errors/document-errors.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { disk } from '../../platform/storage/disk.ts'
import { versionFile } from '../../platform/storage/versioned-steps.ts'
import { documentFindings } from '../../monitor/diagnosis/document-findings.ts'
import { reasonOf, type Found } from '../../monitor/diagnosis/finding.ts'
import { actorOf, isDamage, type View } from '../../monitor/diagnosis/view.ts'

/** Effects of a younger commit may be just being carried out by the process that made it. */
const carryingOutMs = 10_000

/** Whether each team's life can be read, strictly, and what its last commit asked for was done. */
export function lifecycleFindings(view: View): Found[] {
  const teams = view.entries.filter(
    ({ archetypeId, location }) => view.archetypes.ids.includes(archetypeId) && existsSync(location),
  )
  const problems = teams.flatMap((entry) => oneLifecycle(view, entry))
  if (problems.length > 0 || teams.length === 0) return problems
  return [{ severity: 'ok', message: teams.length === 1 ? '1, whole' : `${teams.length}, each whole` }]
}

function oneLifecycle(view: View, entry: RegistryEntry): Found[] {
  const actor = actorOf(view, entry)
  const { file } = actor.lifecycle.shape
  if (isGone(actor)) {
    const { what, advice } = new LifecycleGoneError(actor.team, actor.workspace, file, true)
    return [{ severity: 'error', where: file, message: what, fix: advice }]
  }
  const findings = documentFindings(actor.lifecycle, Infinity)
  if (findings.some(({ severity }) => severity === 'error')) return findings
  try {
    const { head, snapshot } = readPresent(actor)
    return [
      ...findings,
      ...unfinished(view, actor, head.version, head.content.effects.length),
      ...(leafOf(snapshot) === 'complete' ? lostDeliverable(view, entry) : []),
    ]
  } catch (error) {
    if (!isDamage(error)) throw error
    const fix = 'put it back from a copy, with the version that it shows'
    return [...findings, { severity: 'error', where: file, message: reasonOf(error), fix }]
  }
}

function unfinished(view: View, actor: Actor, version: number, effects: number): Found[] {
  const committed = versionFile(actor.lifecycle.shape.file, version)
  const mark = committed.replace(/\.json$/, '.done')
  if (effects === 0) return []
  const found = lstatSync(mark, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) {
    const what = `${actor.team}: no file, in the place of the mark that version ${version} was carried out`
    const fix = `move it away; then 'fed doctor --fix' carries out what was not`
    return [{ severity: 'error', where: mark, message: what, fix }]
  }
  if (found !== undefined) return []
  const isYoung = (disk.age(committed) ?? 0) < carryingOutMs
  const message = `${actor.team}: what version ${version} asked for was not finished`
  const finding: Found = {
    severity: isYoung ? 'note' : 'warning',
    where: committed,
    message,
    fix: 'a step finishes it',
  }
  // without the registry or the configuration a step would decide by what is not so
  if (!view.isOpen) return [finding]
  return [
    {
      ...finding,
      async repair() {
        const report = await step(actor)
        return `finished by a step; ${actor.team} is ${report.state}`
      },
    },
  ]
}

/** The document of a team that is complete, which was there when it finished. */
function lostDeliverable(view: View, { domainId, archetypeId, location }: RegistryEntry): Found[] {
  const { config, configFault, archetypes } = view
  const where = path.join(location, config.deliverable)
  // its name stands in the configuration
  if (!archetypes.of(archetypeId).delivers || configFault !== undefined || existsSync(where)) return []
  const message = `${domainId} is complete, but its deliverable is not there`
  const fix = `put it back from a copy; 'fed launch --team ${domainId} --reset' makes a new one`
  return [{ severity: 'warning', where, message, fix }]
}
