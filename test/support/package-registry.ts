import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { newFolder } from './fed.ts'

/** A package registry that has one package, `the-answer`, and the files of a project that is tested with it. */
export interface PackageRegistry {
  readonly url: string
  /** `package.json`, its lock file, the settings that name the registry, and a test, by their names. */
  readonly project: Readonly<Record<string, string>>
  /** How often the package was fetched. */
  fetched(): number
  stop(): void
}

/** Starts it on 127.0.0.1. */
export async function startRegistry(): Promise<PackageRegistry> {
  const packed = packedAnswer()
  let fetched = 0
  const server = createServer((request, response) => {
    const isAsked = request.url === '/the-answer/-/the-answer-1.0.0.tgz'
    if (isAsked) fetched += 1
    response.writeHead(isAsked ? 200 : 404).end(isAsked ? packed : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const dependencies = { 'the-answer': '1.0.0' }
  const project = { name: 'shop', version: '1.0.0', private: true, scripts: { test: 'node proof.mjs' } }
  const locked = {
    version: '1.0.0',
    resolved: `${url}/the-answer/-/the-answer-1.0.0.tgz`,
    integrity: `sha512-${createHash('sha512').update(packed).digest('base64')}`,
  }
  return {
    url,
    project: {
      'package.json': JSON.stringify({ ...project, dependencies }),
      'package-lock.json': JSON.stringify({
        ...{ name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true },
        packages: {
          '': { name: 'shop', version: '1.0.0', dependencies },
          'node_modules/the-answer': locked,
        },
      }),
      '.npmrc': `registry=${url}/\naudit=false\nfund=false\nupdate-notifier=false\n`,
      '.gitignore': 'node_modules\nnotes.json\n',
      'proof.mjs': "import answer from 'the-answer'\nif (answer !== 42) throw new Error('wrong')\n",
    },
    fetched: () => fetched,
    stop: () => void server.close(),
  }
}

function packedAnswer(): Buffer {
  const folder = newFolder('packed')
  mkdirSync(path.join(folder, 'package'))
  const about = { name: 'the-answer', version: '1.0.0', type: 'module', exports: './index.js' }
  writeFileSync(path.join(folder, 'package', 'package.json'), JSON.stringify(about))
  writeFileSync(path.join(folder, 'package', 'index.js'), 'export default 42\n')
  const { status } = spawnSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: folder })
  if (status !== 0) throw new Error('tar does not pack')
  return readFileSync(path.join(folder, 'packed.tgz'))
}
