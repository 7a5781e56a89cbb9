import { queryOptions, useQuery } from '@tanstack/react-query'
import { statusRoutes } from '@tollgate/contract/status'
import { create } from 'zustand'
import { api } from '../api/client.ts'
import { readText, storageKeys, writeText } from '../session/storage.ts'

const noticeQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: async ({ signal }) => (await api.call(statusRoutes.notice, { signal })).trim(),
  staleTime: 300_000,
})

/** What the reader closed last, and whether they asked to see it again. */
const useNoticeStore = create<{ readonly closed: string | null; readonly isAsked: boolean }>(() => ({
  closed: readText(storageKeys.closedNotice),
  isAsked: false,
}))

export interface NoticeState {
  /** Empty when there is none. */
  readonly text: string
  /** Not closed yet, changed since, or asked for. */
  readonly isOpen: boolean
}

/** The operator's announcement. A failure to read it is no reason to disturb anybody. */
export function useNotice(isEnabled: boolean): NoticeState {
  const { data: text = '' } = useQuery({ ...noticeQuery, enabled: isEnabled })
  const { closed, isAsked } = useNoticeStore()
  return { text, isOpen: isEnabled && text !== '' && (isAsked || text !== closed) }
}

export function openNotice(): void {
  useNoticeStore.setState({ isAsked: true })
}

/** Not shown again by itself until it says something else. */
export function closeNotice(text: string): void {
  writeText(storageKeys.closedNotice, text)
  useNoticeStore.setState({ closed: text, isAsked: false })
}
