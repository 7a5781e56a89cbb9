import type { AccountId } from './account.ts'

/** How processes that share a database ask each other to return free quota. */
export interface Recalls {
  /** Asks all other processes; a notice that gets lost only makes a refused call wait in vain. */
  publish(account: AccountId): void
  /** `undefined`: notices may have been missed, so it may be about any account. Returns the unsubscribe function. */
  subscribe(listener: (account: AccountId | undefined) => void): () => void
  /** The time in which other processes notice a recall and return quota. */
  readonly patienceMs: () => number
}

/** A notice about the same account is not sent again within this time. */
const REPEATED_MS = 500
/** Notices of this process within that time. */
const NOTICES_MAX = 50

/** Keeps a storm of refusals from becoming a storm of notices. The durable attempts of the calls go on. */
export class RecallNotices {
  readonly #recalls: Recalls
  readonly #sent = new Set<AccountId>()

  constructor(recalls: Recalls) {
    this.#recalls = recalls
  }

  send(account: AccountId): void {
    if (this.#sent.has(account) || this.#sent.size >= NOTICES_MAX) return
    this.#sent.add(account)
    if (this.#sent.size === 1) setTimeout(() => this.#sent.clear(), REPEATED_MS).unref()
    this.#recalls.publish(account)
  }
}
