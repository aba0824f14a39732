const dropped = /[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]/gu

/** Gives each heading of one document the anchor that GitHub gives it; a repeated one gets `-1`, `-2`, … */
export class Slugger {
  readonly #taken = new Map<string, number>()

  next(heading: string): string {
    const base = heading.trim().toLowerCase().replaceAll(dropped, '').replaceAll(' ', '-')
    let slug = base
    let repeats = this.#taken.get(base) ?? 0
    while (this.#taken.has(slug)) {
      repeats += 1
      slug = `${base}-${repeats}`
    }
    this.#taken.set(base, repeats)
    this.#taken.set(slug, this.#taken.get(slug) ?? 0)
    return slug
  }
}
