import { InvalidArgumentError } from 'commander'
import type { Budget } from '../../agents/sessions/budget.ts'

const kinds: Readonly<Record<string, Pick<Budget, 'kind'> & { readonly unit: number }>> = {
  usd: { kind: 'cost', unit: 1 },
  tokens: { kind: 'tokens', unit: 1 },
  min: { kind: 'time', unit: 60_000 },
}

/** Reads `2.50usd`, `200000tokens` or `45min`. */
export function parseBudget(text: string): Budget {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,6})?)(usd|tokens|min)$/.exec(text.trim()) ?? []
  const found = kinds[unit ?? '']
  if (found === undefined || !(Number(amount) > 0))
    throw new InvalidArgumentError('give money, tokens or minutes, such as 2.50usd, 200000tokens or 45min.')
  return { kind: found.kind, amount: Number(amount) * found.unit }
}
