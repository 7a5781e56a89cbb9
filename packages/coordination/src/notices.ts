/**
 * A change notification: sent by the code that wrote a table, received by the snapshots that are built from
 * it. A notice carries no data, so a lost or repeated one is harmless as long as listeners also refresh
 * periodically.
 */
export interface Notice {
  /** What changed: `token`, `channel`, `option`, `user`, … or {@link EVERYTHING}. */
  readonly entity: string
  /** Id of the changed row; absent when any or all rows may have changed. */
  readonly id?: number | string
}

/**
 * Entity of a notice that says that other notices may have been missed: every listener refreshes its copy.
 */
export const EVERYTHING = '*'
/** Id of that notice when nothing says that one was missed: it comes from time to time. */
export const FROM_TIME_TO_TIME = 'again'

export interface Notices {
  /**
   * Resolves when every listener in this process has handled the notice, so that a caller that writes and
   * then reads sees its change. Other processes are notified at the same time. Never rejects: a failing
   * listener is reported to `onFailure`.
   */
  publish(notice: Notice): Promise<void>
  /** Notifies the listeners of this process only. */
  tell(notice: Notice): Promise<void>
  /** Returns the unsubscribe function. */
  subscribe(listener: NoticeListener): () => void
}

export type NoticeListener = (notice: Notice) => void | Promise<void>

/** Senders name the row type (`channel`) or the table (`channels`); both match. */
export function isAbout({ entity }: Notice, noun: string): boolean {
  return entity === noun || entity === `${noun}s` || entity === EVERYTHING
}
