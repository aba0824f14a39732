import { InvalidArgumentError } from 'commander'
import { readBudget, type Budget } from '../../protocol/budget.ts'

/** Reads `2.50usd`, `200000tokens` or `45min`. */
export function parseBudget(text: string): Budget {
  const budget = readBudget(text)
  if (budget === undefined || budget.perDay)
    throw new InvalidArgumentError(
      'give money, tokens or minutes, such as 2.50usd, 200000tokens or 45min; at most 999999999, and of money no less than a millionth.',
    )
  return budget
}
