// Proves that a watch is woken by what arrives, says only what changed where nobody looks at a terminal, and at a
// terminal draws the screen anew and leaves it as it was. Fails when it misses a signal or hides the cursor.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtFed, fedDone, newFederation, startFed } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ api: undefined, docs: undefined })
})

const pause = () => fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Pause'])

test('a signal wakes it long before its interval, and what does not change is not said again', async () => {
  const watch = startFed(root, ['monitor', '--watch', '--interval', '1h'])
  await until('the first cycle', () => watch.stdout().includes('docs'))
  await pause()
  await until('what arrived', () => watch.stdout().includes('docs  deliverable  paused  paused'))
  await until('what it told meta', () => watch.stdout().includes('docs: preparing to paused'))
  watch.kill('SIGINT')
  const { code, stdout, stderr } = await watch.ended
  expect([code, stderr]).toEqual([130, ''])
  expect(stdout).not.toContain('\u001B')
  expect(stdout.match(/api {3}deliverable/g)).toHaveLength(1)
})

test('a team that is onboarded meanwhile is watched as well', async () => {
  const watch = startFed(root, ['monitor', '--watch', '--interval', '50ms'])
  await until('the first cycle', () => watch.stdout().includes('docs'))
  await fedDone(root, ['onboard', 'site', '--archetype', 'deliverable'])
  await until('the new team', () => watch.stdout().includes('site'))
  watch.kill('SIGTERM')
  expect((await watch.ended).code).toBe(130)
})

describe.skipIf(spawnSync('script', ['--version']).status !== 0)('at a terminal', () => {
  const enter = '\u001B[?1049h\u001B[?25l'
  const leave = '\u001B[?25h\u001B[?1049l'

  const running: ChildProcess[] = []
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGTERM')
  })

  function startAtTerminal(command: string, env: Record<string, string> = {}) {
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        FED_DURABILITY: 'process',
        FED_TELEMETRY_ENABLED: 'false',
        TERM: 'xterm',
        ...env,
      },
    })
    running.push(child)
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(child, 'close').then(([code]) => code as number)
    return { child, output: () => output, ended }
  }

  const watching = `'${process.execPath}' '${builtFed}' monitor --watch --interval 1h`

  test('the screen is drawn anew, cut to its size, and given back at Ctrl-C', async () => {
    const { child, output, ended } = startAtTerminal(`stty rows 3 cols 40; ${watching}`)
    await until('the first picture', () => output().includes('2 not started'))
    await pause()
    await until('another picture', () => output().split('\u001B[H').length > 2)
    child.stdin.write('\u0003')
    expect(await ended).toBe(130)
    const screen = output()
    expect(screen.startsWith(enter)).toBe(true)
    expect([screen.split(enter).length, screen.split(leave).length]).toEqual([2, 2])
    const [pictures = '', after = ''] = screen.split(leave)
    for (const picture of pictures.split('\u001B[H').slice(1)) {
      const lines = picture.split('\r\n').slice(0, -1)
      expect(lines.length).toBeLessThanOrEqual(2)
      for (const line of lines) expect([...stripVTControlCharacters(line)].length).toBeLessThan(40)
    }
    // what was seen last stays behind
    expect(after).toMatch(/docs .*deliverable/)
  })

  test('it is given back at Ctrl-\\ as well', async () => {
    const { output, ended } = startAtTerminal(`echo $$; ulimit -c 0; exec ${watching}`)
    await until('the first picture', () => output().includes('2 teams'))
    process.kill(Number.parseInt(output(), 10), 'SIGQUIT')
    expect(await ended).toBe(128 + constants.signals.SIGQUIT)
    expect(output().split(leave)).toHaveLength(2)
  })

  test('it is drawn anew when the size changes', async () => {
    const { child, output, ended } = startAtTerminal(`tty; stty rows 30 cols 100; ${watching}`)
    await until('the first picture', () => output().includes('api'))
    const [terminal = ''] = output().split('\r\n')
    spawnSync('stty', ['-F', terminal, 'rows', '3', 'cols', '30'])
    await until('a smaller picture', () => output().includes('2 not started'))
    child.stdin.write('\u0003')
    expect(await ended).toBe(130)
  })

  test('NO_COLOR and a dumb terminal are respected', async () => {
    const command = `'${process.execPath}' '${builtFed}' monitor`
    await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Explain it'])
    await fedDone(root, ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'])
    const plain = startAtTerminal(command, { NO_COLOR: '1' })
    await plain.ended
    expect(plain.output()).not.toContain('\u001B')
    const coloured = startAtTerminal(command, { NO_COLOR: '' })
    await coloured.ended
    expect(coloured.output()).toContain('\u001B[32m✓')
    const dumb = startAtTerminal(watching, { TERM: 'dumb' })
    await until('the first cycle', () => dumb.output().includes('docs'))
    dumb.child.stdin.write('\u0003')
    expect([await dumb.ended, dumb.output().includes('\u001B')]).toEqual([130, false])
  })
})
