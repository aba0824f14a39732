import * as z from 'zod/mini'
import { hostPattern, hostShape } from './host-pattern.ts'

/** Whether agents are held within walls: where that works, always, or never. */
export const confinementModes = ['auto', 'on', 'off'] as const
export type ConfinementMode = (typeof confinementModes)[number]

const place = z
  .string()
  .check(
    z.regex(
      /^(?:\/|~\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\0]*$/,
      'must be an absolute path, or one below ~/, without ..',
    ),
  )

const places = (description: string) => z._default(z.array(place).check(z.describe(description)), [])

const units = { MB: 1e6, GB: 1e9, TB: 1e12 } as const
const sizePattern = /^(\d{1,6}(?:\.\d{1,3})?)(MB|GB|TB)$/

/** A size such as 4GB in bytes; its schema lets only valid ones pass. */
export function bytesOf(size: string): number {
  const [, amount, unit] = sizePattern.exec(size) ?? []
  return Math.round(Number(amount ?? 0) * units[(unit ?? 'MB') as keyof typeof units])
}

/** So much every session may use up where nothing else is configured. */
const usualLimits = { processes: 512, disk: '4GB' } as const

const limitsSchema = z
  .strictObject({
    processes: z._default(
      z
        .int('must be a whole number')
        .check(
          z.minimum(16, 'must be at least 16: an agent and its tools are several'),
          z.maximum(100_000, 'must be at most 100000'),
          z.describe('Most processes of a session at once; one that has more is ended.'),
        ),
      usualLimits.processes,
    ),
    disk: z._default(
      z.string().check(
        z.regex(sizePattern, { error: 'is no size such as 500MB or 4GB', abort: true }),
        z.refine((size) => bytesOf(size) >= 10e6, 'must be at least 10MB'),
        z.describe(
          'Most that a session may add to its folders, such as 4GB, and the size of its temporary folders; one that adds more is ended.',
        ),
      ),
      usualLimits.disk,
    ),
  })
  .check(z.describe('What a session may use up of the machine.'))

/** `confinement` of the configuration. */
export const confinementSchema = z
  .strictObject({
    mode: z._default(
      z
        .enum(confinementModes)
        .check(
          z.describe(
            'Whether agents are held within walls. auto: where these work, and it is said where they do not. on: no agent begins without them. off: there are none. --confinement overrides it.',
          ),
        ),
      'auto',
    ),
    read: places('Files and folders of the home that agents may read, such as ~/.m2.'),
    write: places('Files and folders that agents may read and write.'),
    sockets: places(
      'Sockets that agents may connect to, such as /run/docker.sock: whoever listens there acts for them.',
    ),
    hosts: z._default(
      z
        .array(z.string().check(z.refine((text) => hostPattern(text) !== undefined, hostShape)))
        .check(
          z.describe(
            'Hosts that agents may reach beside those of their own provider and the public registries of the packages that the codebase uses, such as npm.example.com, *.example.com, localhost:11434 or * for every public one; ports 443 and 80, or the one that is named. What is no public address must be named as it is.',
          ),
        ),
      [],
    ),
    env: z._default(
      z
        .array(
          z
            .string()
            .check(
              z.regex(
                /^[A-Za-z_]\w*\*?$/,
                "must be a variable's name, which may end in * for all that begin so",
              ),
            ),
        )
        .check(
          z.describe(
            'Environment variables that agents get beside the harmless ones and those of their own program, such as NPM_TOKEN or AWS_*.',
          ),
        ),
      [],
    ),
    limits: z.prefault(limitsSchema, {}),
  })
  .check(z.describe('What agents can reach of this machine.'))
export type ConfinementConfig = z.output<typeof confinementSchema>

/** Whether it gives agents more than they have without it, so that a person has to allow it. */
export function widens({ mode, read, write, sockets, hosts, env, limits }: ConfinementConfig): boolean {
  return (
    mode === 'off' ||
    [read, write, sockets, hosts, env].some((given) => given.length > 0) ||
    limits.processes > usualLimits.processes ||
    bytesOf(limits.disk) > bytesOf(usualLimits.disk)
  )
}
