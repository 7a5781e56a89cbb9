import type { App } from '../../app.ts'
import type { Watching } from '../../watch.ts'

/** A caller does not wait longer for the ledger, or for a count of tokens. */
const WAIT_MS = 5_000

/** Resolves with `work`, or with `undefined` when it takes too long. `work` must not reject, and goes on in any case. */
export function waitFor<Result>(
  work: Promise<Result>,
  { inFlight, watch, now }: Pick<App, 'inFlight' | 'watch' | 'now'>,
): Promise<Result | undefined> {
  const until = now() + WAIT_MS
  let watching: Watching | undefined
  return new Promise((resolve) => {
    const end = (result?: Result): void => {
      watching?.end()
      resolve(result)
    }
    const giveUp = (): void => {
      inFlight.track(work)
      end()
    }
    watching = watch.add({ tick: (time) => void (time >= until && giveUp()), stopNow: giveUp })
    void work.then(end)
  })
}
