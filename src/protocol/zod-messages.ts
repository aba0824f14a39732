import * as z from 'zod/mini'
import { en } from 'zod/locales'

// the small build of zod, half the cold start of a command, brings no words for what is wrong
z.config(en())
// an option or a constant that is not given is not a wrong one
z.config({ customError: ({ input, code }) => (isMissing(input, code) ? 'is missing' : undefined) })

function isMissing(input: unknown, code: string): boolean {
  return input === undefined && code !== 'custom'
}

/** A schema's `error` option: `message` for a wrong value, 'is missing' for one that is not given. */
export function wrong(message: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is missing' : message),
  }
}
