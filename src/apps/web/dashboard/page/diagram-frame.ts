// Draws one diagram by Mermaid, in a frame that may do nothing else: see `diagram-document.ts` and `diagrams.ts`.
import mermaid from 'mermaid'
import { begun, longestSource, mostEdges, type DiagramJob, type DiagramOutcome } from './diagram-message.ts'

/** Colours of the page (`page.css`), here and in `dark`; Mermaid derives the others from them. */
const light = {
  ...{ background: '#ffffff', primaryColor: '#e9f0ff', primaryBorderColor: '#a8c3f7' },
  ...{ secondaryColor: '#eef1f6', tertiaryColor: '#f5f6f9', tertiaryBorderColor: '#cdd3df' },
  ...{ primaryTextColor: '#1a2232', textColor: '#1a2232', lineColor: '#5c677b' },
}
const dark = {
  ...{ background: '#151a22', mainBkg: '#1a2b4d', nodeBorder: '#3f66ad', clusterBkg: '#1a202a' },
  ...{ clusterBorder: '#3a4557', edgeLabelBackground: '#262e3a', lineColor: '#909db1' },
  // Mermaid's own are black
  ...Object.fromEntries(
    ['#2f4a7d', '#2d6a4f', '#6b4c9a', '#7a5c1e', '#7d3a3a', '#2b6777'].flatMap((colour, index) => [
      [`cScale${index}`, colour],
      [`pie${index + 1}`, colour],
    ]),
  ),
}

addEventListener(
  'message',
  ({ data, ports: [port] }: MessageEvent<DiagramJob>) => {
    port?.postMessage(begun)
    void draw(data).then((outcome) => port?.postMessage(outcome))
  },
  { once: true },
)

async function draw({ source, isDark }: DiagramJob): Promise<DiagramOutcome> {
  // another scheme than the page's would put a ground of its own below the diagram
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: longestSource,
    maxEdges: mostEdges,
    theme: isDark ? 'dark' : 'base',
    themeVariables: { fontSize: '14px', ...(isDark ? dark : light) },
    fontFamily: 'system-ui, sans-serif',
    logLevel: 'fatal',
    // what a diagram's own `%%{init}%%` cannot set
    secure: [
      ...['secure', 'securityLevel', 'startOnLoad', 'suppressErrorRendering', 'maxTextSize', 'maxEdges'],
      ...['dompurifyConfig', 'logLevel'],
    ],
  })
  try {
    document.body.innerHTML = (await mermaid.render('diagram', source)).svg
    const { width, height } = document.querySelector('svg')?.viewBox.baseVal ?? { width: 0, height: 0 }
    return { width, height }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}
