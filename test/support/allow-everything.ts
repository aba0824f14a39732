import { FedError } from '../../src/errors/fed-error.ts'
import { unless } from '../../src/errors/unless.ts'
import { allow, presentIn } from '../../src/federation/trust/allowed-parts.ts'

/** Allows what a federation would run as it is now, as `fed trust` does; not one whose files cannot even be told. */
export function trust(root: string): void {
  unless(FedError, () => allow(root, presentIn(root)))
}
