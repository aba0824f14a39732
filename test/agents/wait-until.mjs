/** Between two looks, in milliseconds: short beside what an agent waits for, which other processes write. */
const pollMs = 30

/** Waits until `look` finds what it looks for; between two looks others run. Who started the agent ends it if it never does. */
export async function waitUntil(look) {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, pollMs))
}
