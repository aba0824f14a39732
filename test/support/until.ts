/** Between two looks, in milliseconds. */
const pollMs = 15
/** A condition that holds at all holds long before; only a hang takes longer. */
const vainMs = 120_000

type Looked<Found> = Found | undefined | false

/**
 * Waits until `look` finds something (anything but `undefined` and `false`) and returns it.
 * @throws when it never does, naming what was waited for.
 */
export async function until<Found>(
  what: string,
  look: () => Looked<Found> | Promise<Looked<Found>>,
): Promise<Found> {
  const deadline = Date.now() + vainMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
