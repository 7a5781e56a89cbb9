/**
 * Runs `load` for every call, but never two at once; all calls made during one run share the next. A call's
 * promise resolves after a run that began after the call, so that run sees everything written before it.
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
    // A failure of the previous run was already reported to the callers of that run.
    await current.catch(() => undefined)
    waiting = undefined
    return run()
  }

  return () => {
    if (running === undefined) return run()
    return (waiting ??= runAfter(running))
  }
}
