/**
 * "Something changed": sent by whoever wrote a table, heard by the snapshots built from it. A notice carries no data,
 * so losing or repeating one is harmless as long as listeners also refresh now and then.
 */
export interface Notice {
  /** What changed: `token`, `channel`, `option`, `user`, … or {@link EVERYTHING}. */
  readonly entity: string
  /** Which one; absent = any or all of them. */
  readonly id?: number | string
}

/** Notices may have been missed: whoever keeps a copy of anything reads it again. */
export const EVERYTHING = '*'

export interface Notices {
  /**
   * Resolves when every listener in this process has taken the notice, so that who writes and then reads sees the
   * change; other processes hear of it at the same time. Never rejects: a listener that fails is reported to whoever
   * opened the notices.
   */
  publish(notice: Notice): Promise<void>
  /** Tells this process alone. */
  tell(notice: Notice): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(listener: NoticeListener): () => void
}

export type NoticeListener = (notice: Notice) => void | Promise<void>

/** Senders name a row (`channel`) or a table (`channels`). */
export function isAbout({ entity }: Notice, noun: string): boolean {
  return entity === noun || entity === `${noun}s` || entity === EVERYTHING
}
