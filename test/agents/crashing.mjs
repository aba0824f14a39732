// Does the first step and dies of an exception.
import { walk } from './work.mjs'

await walk('scanning')
throw new Error('the model is not reachable')
