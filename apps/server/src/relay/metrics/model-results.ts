interface Results {
  succeeded: number
  failed: number
}

/** How many calls of each model were served and failed, until the figures are taken. */
export class ModelResults {
  #models = new Map<string, Results>()

  add(model: string, isServed: boolean): void {
    let results = this.#models.get(model)
    if (results === undefined) this.#models.set(model, (results = { succeeded: 0, failed: 0 }))
    if (isServed) results.succeeded++
    else results.failed++
  }

  take(): ReadonlyMap<string, Readonly<Results>> {
    const taken = this.#models
    this.#models = new Map()
    return taken
  }
}
