import * as z from 'zod/mini'

/** What may be used up: US dollars or tokens, as far as agents tell them, or milliseconds. */
export interface Budget {
  readonly kind: 'cost' | 'tokens' | 'time'
  readonly amount: number
  /** Whether it is for each day, by the calendar of UTC; else it is for all time. */
  readonly perDay: boolean
}

const kinds: Readonly<Record<string, Pick<Budget, 'kind'> & { readonly unit: number }>> = {
  usd: { kind: 'cost', unit: 1 },
  tokens: { kind: 'tokens', unit: 1 },
  min: { kind: 'time', unit: 60_000 },
}

const shape = /^(\d{1,9}(?:\.\d{1,6})?)(usd|min)(\/day)?$|^(\d{1,12})(tokens)(\/day)?$/

/** Reads `2.50usd`, `200000tokens`, `45min` or `20usd/day`, up to 999999999 of them; undefined for anything else. */
export function readBudget(text: string): Budget | undefined {
  const [, ...parts] = shape.exec(text.trim()) ?? []
  const [amount, unit, day] = parts[1] === undefined ? parts.slice(3) : parts
  const found = kinds[unit ?? '']
  if (found === undefined || !(Number(amount) > 0)) return undefined
  return { kind: found.kind, amount: Number(amount) * found.unit, perDay: day !== undefined }
}

/** A budget as `readBudget` reads it. */
export function budgetText({ kind, amount, perDay }: Budget): string {
  const [unit, { unit: size }] = Object.entries(kinds).find(([, found]) => found.kind === kind) as [
    string,
    { unit: number },
  ]
  return `${amount / size}${unit}${perDay ? '/day' : ''}`
}

const one = (description: string) =>
  z.string().check(
    z.refine((text) => readBudget(text) !== undefined, {
      error: 'is no amount such as 2.50usd, 200000tokens, 45min or 20usd/day',
    }),
    z.describe(description),
  )

const some = (whose: string) =>
  z.optional(
    z
      .union([one(`The most that ${whose} may use up.`), z.array(one('One of several limits.'))])
      .check(
        z.describe(
          `The most that ${whose} may use up, in all or by day: 2.50usd, 200000tokens, 45min, 20usd/day; several in a list.`,
        ),
      ),
  )

/** Over any of these a team pauses. */
export const budgetsSchema = z
  .strictObject({
    mission: some('a mission'),
    team: some('a team, in all of its missions,'),
    federation: some('the federation, all teams together,'),
  })
  .check(z.describe('What agents may use up. Over it the team that is at work pauses, and meta hears why.'))

/** What a budget is for. */
export type BudgetScope = keyof z.infer<typeof budgetsSchema>

/** An amount in words, such as `2.50 US dollars`. */
export function amountInWords(kind: Budget['kind'], amount: number): string {
  if (kind === 'cost') return `${amount.toFixed(amount < 1 ? 4 : 2)} US dollars`
  if (kind === 'tokens') return `${amount} tokens`
  return amount < 60_000 ? `${(amount / 1000).toFixed(1)} seconds` : `${(amount / 60_000).toFixed(1)} minutes`
}
