import type { CycleReport } from '../../monitor/cycle-report.ts'
import { LiveScreen } from './live-screen.ts'
import { screenOf } from './monitor-screen.ts'
import { changesBetween, linesOf } from './monitor-text.ts'
import { writeOut } from './output.ts'
import { oneLine } from './plain-text.ts'

/** Where the cycles of a watch are shown. */
export interface View {
  show(report: CycleReport): void
  /** Shows why a cycle failed; false where this view has no place for it. */
  fail(reason: string): boolean
  end(): void
}

interface Kind {
  readonly json: boolean
  readonly quiet: boolean
  /** Whether somebody looks at a terminal. */
  readonly isLive: boolean
  readonly isColoured: boolean
}

export function viewOf(kind: Kind): View {
  if (kind.json) return jsonView
  return kind.isLive ? liveView(kind) : plainView(kind)
}

const jsonView: View = {
  show: (report) => writeOut(`${JSON.stringify(report)}\n`),
  fail: () => false,
  end: () => undefined,
}

/** The first cycle whole, of the others what changed. */
function plainView(style: Kind): View {
  let before: CycleReport | undefined
  return {
    show(report) {
      const lines = before === undefined ? linesOf(report, style) : changesBetween(before, report, style)
      before = report
      if (lines.length > 0) writeOut(`${lines.join('\n')}\n`)
    },
    fail: () => false,
    end: () => undefined,
  }
}

/** The latest cycle on the whole screen; it stays behind as plain lines when the watch ends. */
function liveView(style: Kind): View {
  const screen = new LiveScreen()
  let last: CycleReport | undefined
  const layOut = (rows: number) => (last === undefined ? [] : screenOf(last, style, rows))
  return {
    show(report) {
      last = report
      screen.draw(layOut)
    },
    fail(reason) {
      screen.draw((rows) => [`this cycle failed: ${oneLine(reason)}`, ...layOut(rows - 1)])
      return true
    },
    end() {
      screen.end()
      if (last !== undefined) writeOut(`${linesOf(last, style).join('\n')}\n`)
    },
  }
}
