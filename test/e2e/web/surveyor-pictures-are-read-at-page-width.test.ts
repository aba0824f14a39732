// Proves that the map of modules is readable in a page of 900 px: Mermaid draws its text at 11 px or more, and at most
// 25 nodes; fails when a picture gets so wide that it is scaled down.
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/surveyor/analysis.ts'
import { packageRoot } from '../../../src/platform/process/package.ts'
import { moduleMap } from '../../../src/surveyor/report/module-map.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { browserForAll, hasBrowser } from '../../support/browser.ts'
import { repositoryOf } from '../../support/repository.ts'

const mermaid = fileURLToPath(new URL('../../../node_modules/mermaid/dist/mermaid.min.js', import.meta.url))
const width = 900

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)
const module = (imports: string[]): string =>
  `${imports.map((name) => `import '${name}'`).join('\n')}\nexport const a = 1\n`

/** Repositories of different shapes: layers, a hub that all use, everything in one folder. */
const shapes: Record<string, () => string> = {
  'forty packages in ten layers': () =>
    repositoryOf(
      Object.fromEntries(
        numbers(40).flatMap((number) =>
          numbers(3).map((file) => [
            `packages/package-with-a-name-${number}/src/m${file}.ts`,
            module(
              number < 4
                ? []
                : [4, 5, 7].map(
                    (step) => `../../package-with-a-name-${Math.max(0, number - step)}/src/m${file}.ts`,
                  ),
            ),
          ]),
        ),
      ),
    ),
  'thirty folders that use one': () =>
    repositoryOf({
      'src/core/index.ts': module([]),
      ...Object.fromEntries(
        numbers(30).map((number) => [`src/feature${number}/index.ts`, module(['../core/index.ts'])]),
      ),
    }),
  'two hundred modules in one folder': () =>
    repositoryOf(
      Object.fromEntries(
        numbers(200).map((number) => [
          `src/module-${number}.ts`,
          module([7, 31, 64].map((step) => `./module-${(number * step + 1) % 200}.ts`)),
        ]),
      ),
    ),
  'this repository': () => packageRoot,
}

describe.runIf(hasBrowser)('in a browser', () => {
  const open = browserForAll()
  test.each(Object.keys(shapes))('%s', async (shape) => {
    const found = await survey(shapes[shape]?.() ?? '')
    const { body } = moduleMap(found, analyse(found))
    const [source = ''] = [...body.matchAll(/```mermaid\n([^]*?)\n```/g)].map(([, text = '']) => text)
    const { page } = await open('about:blank')
    await page.setViewportSize({ width, height: 900 })
    await page.setContent(`<body style="margin:0"><div style="width:${width}px"></div></body>`)
    await page.addScriptTag({ path: mermaid })
    const drawn = (await page.evaluate(`(async () => {
      mermaid.initialize({ startOnLoad: false, theme: 'base', themeVariables: { fontSize: '14px' }, fontFamily: 'system-ui, sans-serif' })
      document.querySelector('div').innerHTML = (await mermaid.render('map', ${JSON.stringify(source)})).svg
      const svg = document.querySelector('svg')
      const label = svg.querySelector('.nodeLabel')
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
      return { text: parseFloat(getComputedStyle(label).fontSize) * scale, nodes: svg.querySelectorAll('.node').length }
    })()`)) as { text: number; nodes: number }
    expect(drawn.text).toBeGreaterThanOrEqual(11)
    expect(drawn.nodes).toBeLessThanOrEqual(25)
    expect(drawn.nodes).toBeGreaterThanOrEqual(5)
  })
})
