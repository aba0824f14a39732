import { counted } from '../../../errors/printable.ts'
import path from 'node:path'
import { type Command, Option } from 'commander'
import type { Repaired } from '../../doctor/examine.ts'
import type { Finding, Severity } from '../../../monitor/diagnosis/finding.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print, wrap } from '../output.ts'
import { oneLine } from '../plain-text.ts'
import { startingFolder } from '../scope.ts'

const signs: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', note: '·', ok: '✓' }
const colours: Readonly<Record<Severity, number>> = { error: 31, warning: 33, note: 36, ok: 32 }

export function registerDoctor(program: Command): void {
  declare(
    program,
    'doctor',
    'Examine the federation: what is wrong, what was left over, and what to do',
    'fed doctor --fix',
  )
    .option('--fix', 'repair what can be repaired without losing anything')
    .addOption(
      new Option('--probe', 'have an agent of each archetype try what the walls keep from it').conflicts(
        'fix',
      ),
    )
    .addHelpText(
      'after',
      '\nDamaged files are never dropped: a repair keeps them beside their place as <name>.damaged-<id>.' +
        '\nExit code 1 while errors or warnings remain, 2 where fed cannot work at all; notes are fine.',
    )
    .action(async (options: CommonOptions & { fix?: boolean; probe?: boolean }) => {
      if (options.probe) {
        const { showProbe } = await import('../probe-text.ts')
        return showProbe(options)
      }
      const [{ findDamagedRoot }, { examine, repairAll, tally }, { isProblem }, { chatChecks }] =
        await Promise.all([
          import('../../../monitor/diagnosis/view.ts'),
          import('../../doctor/examine.ts'),
          import('../../../monitor/diagnosis/finding.ts'),
          import('../../chat/chat-checks.ts'),
        ])
      const root = findDamagedRoot(startingFolder(options))
      const { fixed, findings } = options.fix
        ? await repairAll(root, chatChecks)
        : { fixed: [], findings: await examine(root, chatChecks) }
      const problems = findings.filter(isProblem)
      const summary = tally(findings)
      const document = {
        root,
        healthy: problems.length === 0,
        summary: { errors: summary.error, warnings: summary.warning, notes: summary.note },
        fixed,
        findings: findings.map(({ repair, isFatal: _isFatal, ...finding }) => ({
          ...finding,
          repairable: repair !== undefined,
        })),
      }
      if (options.json) print(options, document, () => '')
      else {
        const shown = options.quiet ? problems : findings
        const paragraphs = [
          fixed.flatMap((one) => wrapped(fixedLine(root, one))),
          shown.flatMap((finding) => linesOf(root, finding)).flatMap(wrapped),
          wrapped(conclusion(summary, problems, options.fix === true)),
        ]
        const text = paragraphs.filter((one) => one.length > 0).map((one) => one.join('\n'))
        process.stdout.write(`${text.join('\n\n')}\n`)
      }
      if (problems.length > 0) process.exitCode = problems.some(({ isFatal }) => isFatal) ? 2 : 1
    })
}

const areaWidth = 13
const indent = ' '.repeat(areaWidth + 3)

function linesOf(root: string, { severity, area, where, message, fix, repair }: Finding): string[] {
  const place = where === undefined ? '' : `${shortened(root, where)}: `
  const todo = repair === undefined ? fix : `${fix}; 'fed doctor --fix' does that`
  return [
    `${sign(severity)} ${area.padEnd(areaWidth)} ${oneLine(`${place}${message}`)}`,
    ...(todo === undefined ? [] : [`${indent}→ ${oneLine(todo)}`]),
  ]
}

function fixedLine(root: string, { area, where, message }: Repaired): string {
  const place = where === undefined ? '' : `${shortened(root, where)}: `
  return `+ ${area.padEnd(areaWidth)} ${oneLine(`${place}${message}`)}`
}

function sign(severity: Severity): string {
  const isColoured = process.stdout.isTTY && !process.env.NO_COLOR
  return isColoured ? `\u001B[${colours[severity]}m${signs[severity]}\u001B[0m` : signs[severity]
}

/** A line as lines that fit a terminal, below the text that they belong to; elsewhere programs read it whole. */
function wrapped(line: string): string[] {
  if (!process.stdout.isTTY) return [line]
  return wrap(line, process.stdout.columns || 80, indent.length)
}

/** A path as it is read from the federation's root. */
function shortened(root: string, file: string): string {
  const relative = path.relative(root, file)
  return relative.startsWith('..') || relative === '' ? file : relative
}

function conclusion(
  summary: Record<Severity, number>,
  problems: readonly Finding[],
  wasFixed: boolean,
): string {
  const notes = summary.note === 0 ? '' : `; ${counted(summary.note, 'note')}`
  if (problems.length === 0) return `nothing is wrong${notes}`
  const counts = [
    ...(summary.error > 0 ? [counted(summary.error, 'error')] : []),
    ...(summary.warning > 0 ? [counted(summary.warning, 'warning')] : []),
  ].join(', ')
  const repairable = problems.filter(({ repair }) => repair !== undefined).length
  const hint = wasFixed || repairable === 0 ? '' : `; 'fed doctor --fix' repairs ${repairable} of them`
  return `${counts}${notes}${hint}`
}
