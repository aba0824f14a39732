// What node loads before a command that is to start at the same moment as another: it waits at the gate.
import { Gate } from '../support/gate.ts'

new Gate(process.env.TEST_GATE ?? '').arrive(1)
