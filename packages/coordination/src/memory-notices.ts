import type { Notice, NoticeListener, Notices } from './notices.ts'

export interface NoticesOptions {
  /** Called for every listener that throws or rejects. */
  readonly onFailure: (error: unknown, notice: Notice) => void
}

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
      // A wrapper function per subscription, so that the same listener can subscribe twice and end each
      // subscription separately.
      const own: NoticeListener = (notice) => listener(notice)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
