/** An age for people: `3 s`, `5 min`, `2 h`, `4 d`. */
export function ageInWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}
