// Says that it has changed the code, and has changed nothing.
import { done, fed } from './step-by-step.mjs'

done('fed', 'report', 'plan-ready', '--body', 'Change nothing')
fed('report', 'changes-committed')
