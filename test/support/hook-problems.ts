import path from 'node:path'
import { expect } from 'vitest'
import { HookError } from '../../src/errors/document-errors.ts'
import { loadHook } from '../../src/federation/hooks/load-hook.ts'
import { newFederation } from './federation.ts'
import { addAuditHook, change } from './hook.ts'

/** What is wrong with the audit hook once `from` is `to` in one of its files: `file:line: what`. */
export async function problemsAfter(file: string, from: string, to: string): Promise<string[]> {
  const root = newFederation()
  addAuditHook(root)
  change(
    root,
    'audit-machine.ts',
    'import { and, assign, setup }',
    'import { and, assign, fromPromise, not, setup }',
  )
  change(root, file, from, to)
  const error: unknown = await loadHook(root, 'hooks/fed.ts').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(HookError)
  const { problems } = error as HookError
  return problems.map(({ message, file: at = '', line }) => `${path.basename(at)}:${line}: ${message}`)
}
