import * as z from 'zod/mini'

const words = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** A name that stands in subjects of the link. */
const linkName = (description: string) =>
  z
    .string()
    .check(
      z.regex(words, "is no name: words of a-z and 0-9 joined by '-'"),
      z.maxLength(32, 'is longer than 32 characters'),
      z.describe(description),
    )

/** Name of a site: one clone of the repository in a federation of many. */
export const siteSchema = linkName('Name of this site: one clone of the repository, on one machine.')

/** Where a NATS server listens. */
const server = z
  .string()
  .check(
    z.regex(/^(?:nats|tls):\/\/[^\s/@]+(?::\d+)?$/, 'is no nats:// or tls:// address without a password'),
  )

/** How sites of one federation are linked; the command line says the same. */
export const linkSchema = z
  .strictObject({
    servers: z
      .array(server)
      .check(z.minLength(1, 'is empty'), z.describe('Addresses of the NATS servers, such as nats://a:4222.')),
    federation: linkName('Name of the federation, the same at every site.'),
    meta: z.optional(linkName('The site at which meta lives: reports to meta go there.')),
    site: z.optional(siteSchema),
    labels: z._default(
      z
        .array(linkName('A label.'))
        .check(z.describe('What this site has that tasks may need, such as "gpu".')),
      [],
    ),
    slots: z.optional(
      z.int().check(z.minimum(0), z.describe('How many tasks of other sites’ goals run here at once.')),
    ),
    remote: z._default(
      z
        .string()
        .check(
          z.regex(/^[\w][\w.-]*$/, 'is no name of a git remote'),
          z.describe('The git remote that the sites share, by which branches travel.'),
        ),
      'origin',
    ),
    credentials: z.optional(
      z
        .string()
        .check(
          z.minLength(1, 'is empty'),
          z.describe('File with the seed of this site’s nkey, seen from this file’s folder.'),
        ),
    ),
    ca: z.optional(
      z
        .string()
        .check(
          z.minLength(1, 'is empty'),
          z.describe('Certificate authority that signed the servers’ certificates, for tls://.'),
        ),
    ),
  })
  .check(
    z.describe(
      'Links this federation to its other sites by NATS JetStream. What differs by machine (site, labels, slots, credentials) is better given to ‘fed link up’, which keeps it in .fed/.',
    ),
  )
