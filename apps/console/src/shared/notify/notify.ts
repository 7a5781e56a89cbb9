import { create } from 'zustand'

export interface Notice {
  readonly id: number
  readonly tone: 'ok' | 'act'
  readonly text: string
}

const SHOWN_MAX = 4
const SHOWN_MS = { ok: 3000, act: 8000 } as const

let lastId = 0

export const useNotices = create<{ readonly notices: readonly Notice[] }>(() => ({ notices: [] }))

/** A short success message that disappears by itself. */
export function notifyDone(text: string): void {
  show('ok', text)
}

/**
 * Reports a failure that the page itself does not show. It stays longer than a success message; the same text
 * is not shown twice.
 */
export function notifyFailure(text: string): void {
  if (useNotices.getState().notices.some((notice) => notice.text === text)) return
  show('act', text)
}

export function dismissNotice(id: number): void {
  useNotices.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }))
}

function show(tone: Notice['tone'], text: string): void {
  const id = ++lastId
  useNotices.setState(({ notices }) => ({ notices: [...notices, { id, tone, text }].slice(-SHOWN_MAX) }))
  setTimeout(() => dismissNotice(id), SHOWN_MS[tone])
}
