/** `npm run test:thorough` tries everything where `npm test` tries a part, another one in each run. */
const isThorough = process.env.FED_THOROUGH === '1'

/** How often something is tried. */
export function tries(thorough: number): number {
  return isThorough ? thorough : Math.ceil(thorough / 4)
}

/** From where, and in which steps, one call after the other is disturbed; others in each run. */
export function everyCall(stride: number): { readonly first: number; readonly stride: number } {
  return isThorough ? { first: 1, stride: 1 } : { first: 1 + (Date.now() % stride), stride }
}
