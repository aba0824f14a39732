// Loaded before a program whose functions call `__walk` with the number of their file: writes down in which order calls
// enter them, for the process that is measured and none that it starts. What files do while they are loaded is left out.
const { writeFileSync } = require('node:fs')

const file = process.env.FED_WALK
delete process.env.FED_WALK
delete process.env.NODE_OPTIONS
if (file !== undefined) {
  const entered = []
  let loading = 0
  globalThis.__load = (change) => {
    loading += change
  }
  globalThis.__walk = (number) => {
    if (loading === 0) entered.push(number)
  }
  process.once('exit', () => writeFileSync(file, JSON.stringify(entered)))
}
