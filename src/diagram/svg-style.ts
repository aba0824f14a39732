interface Palette {
  readonly canvas: string
  readonly canvasLine: string
  readonly frame: string
  readonly frameLine: string
  readonly heading: string
  readonly leaf: string
  readonly leafLine: string
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly mainLine: string
  readonly current: string
  readonly currentFill: string
  /** By what sort of signal an event is: text, fill and border of its label. */
  readonly labels: Readonly<Record<LabelSort, readonly [string, string, string]>>
}

export type LabelSort = 'report' | 'directive' | 'alert' | 'question' | 'other'

const light: Palette = {
  canvas: '#f6f7fa',
  canvasLine: '#e3e6ed',
  frame: '#fcfcfe',
  frameLine: '#cfd4e0',
  heading: '#eef0f6',
  leaf: '#ffffff',
  leafLine: '#b9c1d2',
  text: '#1b2333',
  muted: '#5f6b80',
  line: '#9aa5b8',
  mainLine: '#46536b',
  current: '#2563eb',
  currentFill: '#eaf1ff',
  labels: {
    report: ['#1d4fb8', '#edf3ff', '#c6d8fb'],
    directive: ['#6b34b5', '#f5efff', '#dccbf7'],
    alert: ['#b3261e', '#fff0ee', '#f5cdc8'],
    question: ['#0b6b5d', '#e8f7f4', '#b5e0d8'],
    other: ['#354056', '#f1f3f8', '#d3d9e4'],
  },
}

const dark: Palette = {
  canvas: '#0e131b',
  canvasLine: '#232b38',
  frame: '#141a24',
  frameLine: '#313b4c',
  heading: '#1b2330',
  leaf: '#1c2431',
  leafLine: '#46536a',
  text: '#e8ecf4',
  muted: '#9ba7ba',
  line: '#66738a',
  mainLine: '#b9c4d6',
  current: '#6ea0ff',
  currentFill: '#1a2b4d',
  labels: {
    report: ['#9dbfff', '#16233d', '#2c4672'],
    directive: ['#d0b3ff', '#241b38', '#4a3873'],
    alert: ['#ffaaa2', '#351b1c', '#6b3433'],
    question: ['#7fd9ca', '#11302c', '#235a51'],
    other: ['#c9d2e2', '#1e2735', '#3a465a'],
  },
}

const sans = `system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif`
const mono = `ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace`

// plain colours in both halves, no custom properties: a renderer that knows neither those nor media queries
// still shows the light half
const style = `text{font-family:${sans}}.event{font-family:${mono};font-size:12px}.title{font-size:15px;font-weight:650}.name{font-size:14px;font-weight:600}.description{font-size:12px}.guard{font-size:11px}.line{fill:none;stroke-width:1.5}.line.main{stroke-width:2}.leaf,.frame,.canvas,.label,.ring{stroke-width:1.2}.ring{fill:none}.leaf.current{stroke-width:2.5}
${coloursOf(light)}
@media (prefers-color-scheme:dark){${coloursOf(dark)}}`

/** The style sheet of every drawing: one file is readable on a light and on a dark page. */
export const styleElement = `<style>${style}</style>`

function coloursOf(palette: Palette): string {
  const shapes = `.canvas{fill:${palette.canvas};stroke:${palette.canvasLine}}.frame{fill:${palette.frame};stroke:${palette.frameLine}}.heading{fill:${palette.heading}}.leaf{fill:${palette.leaf};stroke:${palette.leafLine}}.ring{stroke:${palette.leafLine}}.leaf.current{fill:${palette.currentFill};stroke:${palette.current}}.title,.name{fill:${palette.text}}.description,.guard{fill:${palette.muted}}.line{stroke:${palette.line}}.line.main{stroke:${palette.mainLine}}.tip{fill:${palette.line}}.tip.main,.dot{fill:${palette.mainLine}}`
  const labels = Object.entries(palette.labels).map(
    ([sort, [text, fill, border]]) =>
      `.label.${sort}{fill:${fill};stroke:${border}}.event.${sort}{fill:${text}}`,
  )
  return shapes + labels.join('')
}

/** Added where a drawing shows the way that a machine took. */
export const pathStyleElement = `<style>.line.taken{stroke-width:2.5}.stay{stroke-width:1.2}.time{font-size:11px;font-weight:600}
${coloursOfPath(light)}
@media (prefers-color-scheme:dark){${coloursOfPath(dark)}}</style>`

function coloursOfPath({ current, currentFill, canvas }: Palette): string {
  return `.leaf.visited{stroke:${current}}.line.taken{stroke:${current}}.tip.taken{fill:${current}}.stay{fill:${currentFill};stroke:${current}}.time{fill:${current}}.current .stay{fill:${current}}.current .time{fill:${canvas}}`
}

/** What an event's first word says it is. */
export function sortOf(event: string): LabelSort {
  const word = event.split('.')[0]
  return word === 'report' || word === 'directive' || word === 'alert' || word === 'question' ? word : 'other'
}
