// Proves that what takes long (the federation's checks) holds up no other request, goes on when whoever asked stopped
// waiting, and is joined by whoever asks again. It fails when a request waits for another one's check, or when the
// check is run twice. And an agent that asks nothing keeps no launcher.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { configure, nodeCommand } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { fed, fedJson, newFederation, newFolder } from '../../support/fed.ts'

test('a check goes on, others are answered meanwhile, and who asks again joins it', async () => {
  const { root, workspace } = await codingTeam()
  const place = newFolder('place')
  const at = (name: string) => path.join(place, name)
  const wait = (name: string) =>
    `while (!existsSync(${JSON.stringify(at(name))})) await new Promise((next) => setTimeout(next, 20))`
  configure(root, {
    checks: [
      {
        name: 'slow',
        run: nodeCommand(`import { appendFileSync, existsSync } from 'node:fs'
          appendFileSync(${JSON.stringify(at('begun'))}, 'begun ')
          console.log('the check says this')
          ${wait('over')}`),
      },
    ],
  })
  const agent = nodeCommand(`import { spawn, spawnSync } from 'node:child_process'
    import { existsSync, writeFileSync } from 'node:fs'
    const impatient = spawn('fed', ['report', 'tests-passed'])
    ${wait('begun')}
    impatient.kill('SIGKILL')
    const meanwhile = spawnSync('fed', ['learn', 'Meanwhile'], { encoding: 'utf8' })
    const again = spawn('fed', ['report', 'tests-passed'])
    const said = { meanwhile: meanwhile.stdout, out: '', err: '' }
    again.stdout.on('data', (text) => (said.out += text))
    again.stderr.on('data', (text) => (said.err += text))
    const status = JSON.parse(spawnSync('fed', ['status', 'api', '--json'], { encoding: 'utf8' }).stdout)
    said.running = status.session.running
    writeFileSync(${JSON.stringify(at('over'))}, '')
    again.once('close', (code) => writeFileSync(${JSON.stringify(at('said'))}, JSON.stringify({ ...said, code })))`)
  await fed(root, ['launch', '--team', 'api', '--agent', agent, '--max-sessions', '1'])
  expect(existsSync(at('said')), 'the agent came to its end').toBe(true)
  expect(JSON.parse(readFileSync(at('said'), 'utf8'))).toMatchObject({
    meanwhile: 'logged\n',
    running: true,
    code: 0,
    out: expect.stringContaining('accepted: testing'),
  })
  expect(readFileSync(at('begun'), 'utf8')).toBe('begun ')
  expect(await fedJson(root, ['status', 'api'])).toMatchObject({
    checks: { configured: [{ result: { passed: true } }] },
  })
  expect(readFileSync(path.join(workspace, '.fed', 'learnings.jsonl'), 'utf8')).toContain('Meanwhile')
})

test('what a check prints is told while it runs', async () => {
  const { root } = await codingTeam()
  const said = path.join(newFolder('place'), 'said')
  configure(root, { checks: [{ name: 'unit', run: nodeCommand(`console.log('the check says this')`) }] })
  const agent = `sh -c 'fed report tests-passed 2>${said}'`
  await fed(root, ['launch', '--team', 'api', '--agent', agent, '--max-sessions', '1'])
  expect(readFileSync(said, 'utf8')).toMatch(/^· unit: node .*\nthe check says this\n$/)
})

test('an agent that asks nothing keeps no launcher', async () => {
  const root = await newFederation({ docs: 'Explain the answer' })
  const launched = await fed(root, ['launch', '--team', 'docs', '--agent', 'true', '--max-sessions', '1'])
  expect(launched).toMatchObject({ code: 1, stderr: expect.stringContaining('docs preparing') })
})
