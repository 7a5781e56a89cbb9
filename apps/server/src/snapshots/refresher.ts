/**
 * Runs `load` for every call, but never two at once, and once for all calls that came while it ran. A call's promise
 * resolves after a run that began later than the call, so what was written before it is seen.
 */
export function openRefresher(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let waiting: Promise<void> | undefined

  function run(): Promise<void> {
    running = load().finally(() => {
      running = undefined
    })
    return running
  }

  async function runAfter(current: Promise<void>): Promise<void> {
    // The failure of the run before is its own callers' business.
    await current.catch(() => undefined)
    waiting = undefined
    return run()
  }

  return () => {
    if (running === undefined) return run()
    return (waiting ??= runAfter(running))
  }
}
