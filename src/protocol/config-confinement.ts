import * as z from 'zod/mini'

/** Whether agents and checks are held within walls: where that works, always, or never. */
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

/** `confinement` of the configuration. */
export const confinementSchema = z
  .strictObject({
    mode: z._default(
      z
        .enum(confinementModes)
        .check(
          z.describe(
            'auto: agents and checks are held within walls where these work, and it is said where they do not. on: nothing begins without them. off: there are none. --confinement overrides it.',
          ),
        ),
      'auto',
    ),
    read: places('Files and folders of the home that agents may read, such as ~/.m2.'),
    write: places('Files and folders that agents may read and write.'),
    sockets: places(
      'Sockets that agents may connect to, such as /run/docker.sock: whoever listens there acts for them.',
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
            'Environment variables that agents and checks get beside the harmless ones and those of their own program, such as NPM_TOKEN or AWS_*.',
          ),
        ),
      [],
    ),
  })
  .check(z.describe('What agents and checks can reach of this machine.'))
export type ConfinementConfig = z.output<typeof confinementSchema>

/** Whether it gives agents more than they have without it, so that a person has to allow it. */
export function widens({ mode, read, write, sockets, env }: ConfinementConfig): boolean {
  return mode === 'off' || [read, write, sockets, env].some((given) => given.length > 0)
}
