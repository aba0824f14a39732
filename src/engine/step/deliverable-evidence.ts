import path from 'node:path'
import type { DeliverableReport } from '../../records/deliverable/rule.ts'
import type { Actor } from './world.ts'
import { git } from '../../platform/git/git.ts'

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

/** Extensions of languages in which programs are written; data, markup and prose are none. */
const codeExtension =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|scala|cs|fs|vb|c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm|rb|php|swift|dart|ex|exs|erl|hs|ml|clj|lua|pl|pm|r|jl|sh|bash|zsh|ps1|sql|zig|nim|vue|svelte|el|lisp|f90|pas|asm|s)$/i

/** Whether the codebase holds any code, tracked or not yet: without any, a document needs no code examples. */
function codebaseHasCode(root: string): boolean {
  return git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    .split('\0')
    .some((file) => codeExtension.test(file))
}
