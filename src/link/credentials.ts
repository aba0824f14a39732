import path from 'node:path'
import { createUser, fromSeed } from '@nats-io/nkeys'
import { UsageError } from '../errors/fed-error.ts'
import { createOnce, makeDirectory, replaceFile } from '../platform/storage/disk.ts'
import { disk } from '../platform/storage/disk.ts'
import { siteSchema } from '../protocol/config-link.ts'
import { inboxOf } from './connection.ts'
import { linkNames } from './link-names.ts'

/** Files that `fed link credentials` wrote. */
export interface MadeCredentials {
  /** Settings for every server. */
  readonly settings: string
  readonly seeds: readonly { readonly site: string; readonly file: string }[]
}

export interface CredentialsAsked {
  readonly sites: readonly string[]
  readonly folder: string
  /** The site of meta: it alone makes what the federation needs at the servers. The first one when left out. */
  readonly meta?: string | undefined
  readonly federation: string
}

/**
 * Makes a key for each site, and the servers' settings by which it may publish its own signals and nobody else's. A
 * site that has a key keeps it, and those whose seeds lie in the folder are in the settings as well.
 * @throws {UsageError} for a name that is none.
 */
export function makeCredentials({
  sites: asked,
  folder,
  meta: named,
  federation,
}: CredentialsAsked): MadeCredentials {
  // settings for one site more must not lock the others out
  const before = disk.list(folder).flatMap((name) => /^(.+)\.seed$/.exec(name)?.[1] ?? [])
  const others = before.filter((site) => !asked.includes(site) && siteSchema.safeParse(site).success)
  if (named === undefined && others.length > 0)
    throw new UsageError(
      `${folder} holds keys of ${others.join(', ')} as well: --meta says at which site meta lives`,
    )
  const sites = [...asked, ...others]
  const meta = named ?? (asked[0] as string)
  for (const site of [...sites, meta, federation])
    if (!siteSchema.safeParse(site).success)
      throw new UsageError(`'${site}' is no name of a site or federation: words of a-z and 0-9 joined by '-'`)
  makeDirectory(folder)
  const users = [...new Set([...sites, meta])].map((site) => {
    const file = path.join(folder, `${site}.seed`)
    const user = createUser()
    createOnce(file, `${new TextDecoder().decode(user.getSeed())}\n`, folder, { mode: 0o600 })
    return { site, file, key: publicKeyOf(file) }
  })
  const settings = path.join(folder, 'authorization.conf')
  const text = `authorization {\n  users = [\n${users.map(({ site, key }) => userText(site, key, { federation, isHome: site === meta })).join('\n')}\n  ]\n}\n`
  replaceFile(settings, text, folder, { mode: 0o644 })
  return { settings, seeds: users.map(({ site, file }) => ({ site, file })) }
}

function publicKeyOf(file: string): string {
  const seed = disk.read(file)?.trim() ?? ''
  return fromSeed(new TextEncoder().encode(seed)).getPublicKey()
}

function userText(
  site: string,
  key: string,
  { federation, isHome }: { readonly federation: string; readonly isHome: boolean },
): string {
  const names = linkNames(federation)
  const { stream, sites, files } = names
  const kv = `KV_${sites}`
  const store = `OBJ_${files}`
  const publish = [
    // what comes from it, and the lines of all: of whose teams these are all sites decide together
    names.signal(site, '>'),
    names.line('>'),
    names.offer('>'),
    `$KV.${sites}.${site}`,
    `$O.${files}.>`,
    '$JS.API.INFO',
    ...[stream, kv, store].flatMap((one) => [
      `$JS.API.STREAM.INFO.${one}`,
      `$JS.API.STREAM.MSG.GET.${one}`,
      `$JS.API.DIRECT.GET.${one}`,
      `$JS.API.DIRECT.GET.${one}.>`,
      `$JS.API.CONSUMER.CREATE.${one}`,
      `$JS.API.CONSUMER.CREATE.${one}.>`,
      `$JS.API.CONSUMER.INFO.${one}.>`,
      `$JS.API.CONSUMER.DELETE.${one}.>`,
      `$JS.API.CONSUMER.MSG.NEXT.${one}.>`,
      `$JS.FC.${one}.>`,
    ]),
    ...(isHome
      ? [
          ...[stream, kv, store].flatMap((one) => [
            `$JS.API.STREAM.CREATE.${one}`,
            `$JS.API.STREAM.UPDATE.${one}`,
          ]),
          // it takes off what all have carried out, where the stream fills up
          `$JS.API.STREAM.PURGE.${stream}`,
        ]
      : []),
  ]
  const list = (subjects: readonly string[]) => subjects.map((subject) => `"${subject}"`).join(', ')
  return `    # site ${site}\n    { nkey: ${key}, permissions: {\n      publish: [${list(publish)}]\n      subscribe: [${list([`${inboxOf(site)}.>`])}]\n    } }`
}
