const seed = Number(process.env.FED_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
let told = false

/**
 * So many of the numbers from 1 to `count`, spread evenly and others in each run: always the first and the last.
 * The seed is printed; `FED_TEST_SEED` repeats it.
 */
export function sample(name: string, count: number, size: number): number[] {
  if (!told) process.stdout.write(`sample of ${name}: FED_TEST_SEED=${seed}\n`)
  told = true
  if (count <= size) return Array.from({ length: count }, (_, index) => index + 1)
  const stride = count / (size - 2)
  const offset = (seed % 1000) / 1000
  const inner = Array.from({ length: size - 2 }, (_, index) => 1 + Math.floor((index + offset) * stride))
  return [...new Set([1, ...inner.filter((at) => at <= count), count])]
}
