import * as z from 'zod/mini'
import { commandFault } from './command-words.ts'
import { longestMs, readDuration } from './duration.ts'

/** Time that a check or the setup has unless it says otherwise. */
const DEFAULT_TIMEOUT = '10m'

const command = (description: string) =>
  z.string().check(
    z.superRefine((words, context) => {
      const fault = commandFault(words)
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
    }),
    z.describe(description),
  )

const timeout = (description: string) =>
  z._default(
    z.string().check(
      z.refine((text) => readDuration(text) !== undefined, 'is no duration; give one such as 30s, 10m or 2h'),
      z.refine((text) => (readDuration(text) ?? 0) <= longestMs, 'is longer than 24 days (576h)'),
      z.describe(description),
    ),
    DEFAULT_TIMEOUT,
  )

const network = (description: string) => z.optional(z.literal('host').check(z.describe(description)))

/** A path that stays inside of the checkout, and out of git's own folder. */
const inCheckout = z
  .string()
  .check(
    z.regex(
      /^(?!\.git(?:\/|$))(?!\.{1,2}(?:\/|$))[^/\\\0]+(?:\/(?!\.git(?:\/|$))(?!\.{1,2}(?:\/|$))[^/\\\0]+)*$/,
      'must be a path inside of the checkout, without . or .., and not .git',
    ),
  )

/** Name of a check's log and records; the setup's own is taken. */
const name = z.string().check(
  z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters or digits, in words joined by -'),
  z.maxLength(64, 'is longer than 64 characters'),
  z.refine((given) => given !== 'setup', "is the name of the setup's own log; give the check another"),
  z.describe('What people, logs and refusals call it: lower-case words joined by -.'),
)

/** `checks` of the configuration. */
export const checksSchema = z
  .array(
    z.strictObject({
      name,
      run: command(
        'Command, split into words without a shell, that ends with 0 when the check passes. It runs at the top of a fresh checkout of the commit.',
      ),
      timeout: timeout('How long it may take, such as 30s, 10m or 2h. What takes longer does not pass.'),
      network: network(
        'host: it reaches the network of this machine. Without it, within walls, it has a network of its own with nobody else in it.',
      ),
      protects: z.optional(
        z
          .array(z.string().check(z.regex(/\S/, 'is empty')))
          .check(
            z.describe('Paths of files that the check relies on, such as test/**; shown by fed status.'),
          ),
      ),
    }),
  )
  .check(
    z.superRefine((checks, context) => {
      for (const [index, { name: one }] of checks.entries())
        if (checks.findIndex((other) => other.name === one) < index)
          context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is the name of another check' })
    }),
    z.describe(
      'What fed itself runs on a fresh checkout of the commit before the tests of a coding team count as passed: all of them. They run within walls, where these stand: see confinement.',
    ),
  )

/** `setup` of the configuration. */
export const setupSchema = z
  .strictObject({
    run: command('Command that prepares a checkout, such as npm ci; split into words without a shell.'),
    keep: z._default(
      z
        .array(inCheckout)
        .check(
          z.minLength(1, 'names nothing: leave setup out, or name what it makes'),
          z.describe(
            'Files and folders that it makes: kept for the next checkouts with the same manifests and lock files, and copied into each.',
          ),
        ),
      ['node_modules'],
    ),
    inputs: z._default(
      z
        .array(inCheckout)
        .check(
          z.describe(
            'Further files and folders that decide what it makes, such as prisma/schema.prisma or a script that it calls: it runs anew when one of them changed.',
          ),
        ),
      [],
    ),
    timeout: timeout('How long it may take, such as 30s, 10m or 2h.'),
    network: network(
      'host: it reaches the network of this machine. Without it, within walls, it reaches confinement.hosts and the public registries of the packages that the commit uses.',
    ),
  })
  .check(z.describe('What prepares a fresh checkout before the checks run.'))
