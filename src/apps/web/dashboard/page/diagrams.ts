// Draws a document's diagrams, each in a frame of its own of an opaque origin (`diagram-frame.ts`), one after the
// other, as they come into view. Nothing of a diagram enters the page but its size, or one line of why it is not drawn.
import { begun, longestSource, type DiagramJob, type DiagramOutcome } from './diagram-message.ts'
import { isDark } from './theme.ts'

/** What is not drawn by then never will be, in milliseconds. */
const longestMs = 20_000
/** A frame has some 25 MB: the others wait until one is out of view. */
const mostFrames = 16
/** So many outcomes are remembered: a document that is being written is rendered again and again. */
const mostKnown = 64

/** By the source. */
const known = new Map<string, DiagramOutcome>()
const inView = new Set<HTMLElement>()
const watched = new WeakSet<HTMLElement>()
/** What is being drawn, and what gives that up. */
let current: { readonly figure: HTMLElement; readonly giveUp: AbortController } | undefined
let wasDark: boolean | undefined

const observer = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) {
      const figure = target as HTMLElement
      if (isIntersecting) inView.add(figure)
      else leave(figure)
      if (!figure.isConnected) observer.unobserve(figure)
    }
    void drawAll()
  },
  { scrollMargin: '200px' },
)

/** Draws what the page shows of diagrams, in its colours; called whenever it may show others. */
export function drawDiagrams(): void {
  if (wasDark !== isDark()) for (const figure of inView) dropFrame(figure)
  wasDark = isDark()
  for (const figure of document.querySelectorAll<HTMLElement>('.markdown .diagram')) {
    if (watched.has(figure)) continue
    watched.add(figure)
    const outcome = known.get(sourceOf(figure))
    if (outcome !== undefined) show(figure, outcome)
    observer.observe(figure)
  }
  void drawAll()
}

const sourceOf = (figure: HTMLElement) => figure.querySelector('code')?.textContent ?? ''
const frameOf = (figure: HTMLElement) => figure.querySelector('iframe')

function leave(figure: HTMLElement): void {
  inView.delete(figure)
  dropFrame(figure)
}

function dropFrame(figure: HTMLElement): void {
  if (current?.figure === figure) current.giveUp.abort()
  frameOf(figure)?.remove()
}

/** The next that is to be drawn. */
function nextOf(): HTMLElement | undefined {
  const figures = [...inView]
  if (figures.filter(frameOf).length >= mostFrames) return undefined
  return figures.find((figure) => frameOf(figure) === null && !figure.classList.contains('failed'))
}

async function drawAll(): Promise<void> {
  if (current !== undefined) return
  for (let figure = nextOf(); figure !== undefined; figure = nextOf()) {
    current = { figure, giveUp: new AbortController() }
    try {
      await draw(figure, current.giveUp.signal)
    } finally {
      current = undefined
    }
  }
}

async function draw(figure: HTMLElement, signal: AbortSignal): Promise<void> {
  const source = sourceOf(figure)
  const outcome =
    source.length > longestSource
      ? { why: `it has more than ${longestSource} characters` }
      : await drawn(figure, { source, isDark: isDark() }, signal)
  if (outcome === undefined) return
  known.set(source, outcome)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  show(figure, outcome)
}

/** Draws in a new frame; undefined for what was given up, or never began. */
function drawn(
  figure: HTMLElement,
  job: DiagramJob,
  signal: AbortSignal,
): Promise<DiagramOutcome | undefined> {
  const { port1: answers, port2: port } = new MessageChannel()
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.title = 'Diagram'
  frame.tabIndex = -1
  frame.src = 'diagram.html'
  let isTold = false
  frame.addEventListener('load', () => {
    if (!isTold) frame.contentWindow?.postMessage(job, '*', [port])
    // it was moved in the page, or went away by itself: what it showed is gone
    else dropFrame(figure)
    isTold = true
  })
  return new Promise<DiagramOutcome | undefined>((resolve) => {
    const end = (outcome: DiagramOutcome | undefined) => {
      clearTimeout(late)
      answers.close()
      figure.ariaBusy = null
      resolve(outcome)
    }
    const late = setTimeout(() => {
      // a browser runs such frames in one process, which it ends with the last of them, whatever that does
      for (const each of inView) frameOf(each)?.remove()
      end(figure.ariaBusy === 'true' ? { why: `it took more than ${longestMs / 1000} s to draw` } : undefined)
    }, longestMs)
    signal.addEventListener('abort', () => end(undefined))
    answers.onmessage = ({ data }) => {
      if (data === begun) figure.ariaBusy = 'true'
      else end(outcomeOf(data))
    }
    figure.append(frame)
  })
}

/** What a frame answered, whatever that is. */
function outcomeOf(answer: unknown): DiagramOutcome {
  const { width, height, why } = Object(answer) as Record<string, unknown>
  if (typeof why === 'string') return { why: why.slice(0, 300).split('\n')[0]?.replace(/:$/, '') ?? '' }
  return { width: clamped(width, 4000), height: clamped(height, 8000) }
}

function clamped(pixels: unknown, most: number): number {
  return typeof pixels === 'number' && pixels >= 0 ? Math.max(40, Math.min(most, pixels)) : 40
}

function show(figure: HTMLElement, outcome: DiagramOutcome): void {
  if ('why' in outcome) {
    frameOf(figure)?.remove()
    figure.classList.add('failed')
    const caption = document.createElement('figcaption')
    caption.textContent = `This diagram is shown as its source: ${outcome.why}`
    figure.prepend(caption)
    return
  }
  figure.classList.add('drawn')
  figure.style.setProperty('width', `min(100%, ${outcome.width}px)`)
  figure.style.setProperty('aspect-ratio', `${outcome.width} / ${outcome.height}`)
}
