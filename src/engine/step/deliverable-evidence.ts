import path from 'node:path'
import type { DeliverableReport } from '../../records/deliverable/rule.ts'
import { codebaseHasCode } from './codebase-has-code.ts'
import type { Actor } from './world.ts'

/** Absolute path of a team's deliverable. */
export function deliverableFileOf({ workspace, world }: Pick<Actor, 'workspace' | 'world'>): string {
  return path.join(workspace, world.config.deliverable)
}

/**
 * Checks a team's deliverable against the documentation standards (spec §2.6) and the federation's schema.
 * @throws {DeliverableSchemaError} when the schema cannot be used.
 */
export async function checkDeliverableOf(
  actor: Pick<Actor, 'workspace' | 'world'>,
): Promise<DeliverableReport> {
  const { workspace, world } = actor
  const { deliverableSchema } = world.config
  // parsing Markdown is heavy, a schema's compiler heavier, and few commands need them
  const [{ checkDeliverableFile }, schema] = await Promise.all([
    import('../../records/deliverable/check-file.ts'),
    deliverableSchema === undefined
      ? undefined
      : import('../../records/deliverable/schema.ts').then(({ openSchema }) =>
          openSchema(world.root, deliverableSchema),
        ),
  ])
  return checkDeliverableFile(deliverableFileOf(actor), {
    workspace,
    codebaseHasCode: codebaseHasCode(world.root),
    schema,
  })
}
