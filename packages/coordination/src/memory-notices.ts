import type { Notice, NoticeListener, Notices } from './notices.ts'

export interface NoticesOptions {
  /** Hears of every listener that threw or rejected. */
  readonly onFailure: (error: unknown, notice: Notice) => void
}

/** Notices within one process. */
export function memoryNotices({ onFailure }: NoticesOptions): Notices {
  const listeners = new Set<NoticeListener>()

  async function tellOne(listener: NoticeListener, notice: Notice): Promise<void> {
    try {
      await listener(notice)
    } catch (error) {
      onFailure(error, notice)
    }
  }

  async function tell(notice: Notice): Promise<void> {
    await Promise.all([...listeners].map((listener) => tellOne(listener, notice)))
  }

  return {
    publish: tell,
    tell,
    subscribe: (listener) => {
      // A wrapper of its own, so that the same function may subscribe twice and end each subscription alone.
      const own: NoticeListener = (notice) => listener(notice)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
