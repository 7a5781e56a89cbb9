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

/** The text that the reader closed last, and whether they opened it again. */
const useNoticeStore = create<{ readonly closed: string | null; readonly isAsked: boolean }>(() => ({
  closed: readText(storageKeys.closedNotice),
  isAsked: false,
}))

export interface NoticeState {
  /** Empty if there is no announcement. */
  readonly text: string
  /** True if the text was not closed yet, changed after it was closed, or was opened again by the reader. */
  readonly isOpen: boolean
}

/** The operator's announcement. If loading it fails, no error is shown. */
export function useNotice(isEnabled: boolean): NoticeState {
  const { data: text = '' } = useQuery({ ...noticeQuery, enabled: isEnabled })
  const { closed, isAsked } = useNoticeStore()
  return { text, isOpen: isEnabled && text !== '' && (isAsked || text !== closed) }
}

export function openNotice(): void {
  useNoticeStore.setState({ isAsked: true })
}

/** Closes the announcement; it does not open by itself again until its text changes. */
export function closeNotice(text: string): void {
  writeText(storageKeys.closedNotice, text)
  useNoticeStore.setState({ closed: text, isAsked: false })
}
