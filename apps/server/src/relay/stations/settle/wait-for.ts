import type { App } from '../../app.ts'
import type { Watching } from '../../watch.ts'

/** A caller does not wait longer for the ledger, or for a count of tokens. */
const WAIT_MS = 5_000

interface Ends<Result, End> {
  readonly fulfilled: (result: Result) => End
  readonly rejected: (error: unknown) => End
}

/**
 * Resolves with what `fulfilled` or `rejected` makes of the end of `work`, or with `undefined` when it takes too long.
 * They are called in any case, and must not throw.
 */
export function waitFor<Result, End>(
  work: Promise<Result>,
  { fulfilled, rejected }: Ends<Result, End>,
  { inFlight, watch, now }: Pick<App, 'inFlight' | 'watch' | 'now'>,
): Promise<End | undefined> {
  const until = now() + WAIT_MS
  return new Promise((resolve) => {
    let watching: Watching | undefined
    const end = (result: End | undefined): void => {
      watching?.end()
      resolve(result)
    }
    const ended = work.then(
      (result) => end(fulfilled(result)),
      (error: unknown) => end(rejected(error)),
    )
    const giveUp = (): void => {
      inFlight.track(ended)
      end(undefined)
    }
    watching = watch.add({ tick: (time) => void (time >= until && giveUp()), stopNow: giveUp })
  })
}
