import { standHere } from '../../src/platform/confinement/bubblewrap.ts'

const stand = await standHere()

/** Whether walls stand here; says so in one line where none do. */
export const hasWalls = stand.file !== undefined
if (stand.file === undefined) console.warn(`nothing is tried within walls: ${stand.why}; ${stand.remedy}`)
