import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { counted, spawnAct } from './counted-process.ts'
import type { Begin } from './kill-point.ts'

/**
 * Kills a command with its git in the middle of that: git calls programs while it holds locks (a hook at each step of
 * a change of refs, a filter for each file that it checks out or takes in), and one of these kills the process group.
 */
export const insideOfGit: Begin = (act, point) => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'fed-point-'))
  const hooks = path.join(place, 'hooks')
  mkdirSync(hooks)
  const script = (file: string, words: string, rest: string) => {
    writeFileSync(file, `#!/bin/sh\n${count(place, words, point?.number)}\n${rest}\n`)
    chmodSync(file, 0o755)
  }
  script(path.join(hooks, 'reference-transaction'), 'refs $1', 'cat > /dev/null')
  script(path.join(place, 'filter'), '$1', 'exec cat')
  writeFileSync(path.join(place, 'attributes'), '* filter=counted\n')
  const config = {
    'core.hooksPath': hooks,
    'core.attributesFile': path.join(place, 'attributes'),
    'filter.counted.smudge': `'${path.join(place, 'filter')}' 'check out'`,
    'filter.counted.clean': `'${path.join(place, 'filter')}' 'take in'`,
  }
  const settings = Object.entries(config).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  const env = { GIT_CONFIG_COUNT: String(settings.length / 2), ...Object.fromEntries(settings) }
  return counted(spawnAct(act, [], env), place)
}

/** Writes down each call, and kills everything at one of them. */
function count(place: string, words: string, number: number | undefined): string {
  const log = `'${path.join(place, 'calls')}'`
  const isIt = `[ "$(wc -l < ${log})" -eq ${number ?? 0} ]`
  return `echo "git: ${words}" >> ${log}\nif ${isIt}; then kill -KILL 0; fi`
}
