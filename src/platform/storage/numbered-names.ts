/**
 * Numbers that names of one shape hold, `<before><number><after>`, ascending. Of more than 15 digits it is none: fed
 * never counts as far, and could not count on from it.
 */
export function numbersIn(names: readonly string[], before: string, after: string): number[] {
  return names
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => name.slice(before.length, name.length - after.length))
    .flatMap((digits) => (/^[1-9]\d{0,14}$/.test(digits) ? [Number(digits)] : []))
    .toSorted((a, b) => a - b)
}
