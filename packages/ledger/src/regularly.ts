/**
 * Runs work at intervals, one run at a time. While runs fail with the same error, `onFailure` is called for the
 * first of them only, so that a server that is down for an hour does not fill the log. Returns the function that
 * stops it.
 */
export function regularly(
  intervalMs: number,
  work: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): () => void {
  let isRunning = false
  let lasting: string | undefined
  const fail = (error: unknown): void => {
    const text = String(error)
    if (text !== lasting) onFailure(error)
    lasting = text
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    work()
      .then(() => (lasting = undefined), fail)
      .finally(() => {
        isRunning = false
      })
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
