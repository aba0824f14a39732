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
