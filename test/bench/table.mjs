// The table as people read it.

function figure(value, unit) {
  if (value === undefined) return ''
  const digits =
    unit === '×' ? (value < 0.1 ? value.toFixed(4) : value.toFixed(2)) : String(Number(value.toFixed(2)))
  return `${digits} ${unit}`
}

/** `reach`, `floor`, or `BELOW`; nothing where no goal is set. */
export function verdictOn({ value, sense, floor, reach, isWrong }) {
  if (isWrong) return 'WRONG'
  if (floor === undefined) return ''
  const meets = (goal) => (sense === 'at least' ? value >= goal : value <= goal)
  return meets(reach) ? 'reach' : meets(floor) ? 'floor' : 'BELOW'
}

const head = ['path', 'ours', 'bound or rival', 'ratio', 'quartiles', 'floor', 'reach', 'verdict']

/** A Markdown table of outcomes. */
export function tableOf(outcomes) {
  const lines = outcomes.map((one) => {
    if (one.skipped !== undefined) return [one.path, 'skipped', one.skipped, '', '', '', '', '']
    const sign = one.sense === 'at least' ? '≥' : '≤'
    const goal = (value) => (value === undefined ? '' : `${sign} ${Number(value)} ${one.unit}`)
    return [
      one.path,
      one.ours,
      one.rival,
      figure(one.value, one.unit),
      one.low === undefined ? '' : `${one.low.toPrecision(2)}–${one.high.toPrecision(2)}`,
      goal(one.floor),
      goal(one.reach),
      verdictOn(one),
    ]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column].length)))
  const lineOf = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...lines.map(lineOf)].join('\n')
}
