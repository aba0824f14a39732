/** Waiting that something ends early: whoever is roused before it begins does not wait at all. */
export class Rest {
  #wake: () => void = () => {}
  #isRoused = false

  rouse(): void {
    this.#isRoused = true
    this.#wake()
  }

  /** Waits until it is roused, or so long in milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isRoused)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#isRoused = false
    this.#wake = () => {}
  }
}
