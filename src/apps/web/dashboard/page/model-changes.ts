let redraw = () => undefined as void

/** Calls `listener` whenever the page has to be drawn again. */
export function onModelChange(listener: () => void): void {
  redraw = listener
}

/** Changes the model, and has the page drawn again. */
export function update(change: () => void = () => undefined): void {
  change()
  redraw()
}

/** Draws with the next frame, however often it is asked for until then. */
export function onceAFrame(draw: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      draw()
    })
  }
}
