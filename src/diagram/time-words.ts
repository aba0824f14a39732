/** A length of time as people read it at a glance: `0.6 s`, `42 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function timeInWords(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.floor(seconds)} s`
  const [large, small, unit, part] =
    seconds < 3600
      ? [Math.floor(seconds / 60), Math.floor(seconds % 60), 'min', 's']
      : seconds < 86_400
        ? [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), 'h', 'min']
        : [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600), 'd', 'h']
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${part}`
}
