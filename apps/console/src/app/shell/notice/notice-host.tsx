import { lazy, Suspense } from 'react'
import { closeNotice, useNotice } from '../../../shared/notice/notice.ts'

const NoticeDialog = lazy(async () => ({ default: (await import('./notice-dialog.tsx')).NoticeDialog }))

/** Where the announcement appears; nothing is loaded for it while there is none. */
export function NoticeHost({ isEnabled }: { readonly isEnabled: boolean }) {
  const { text, isOpen } = useNotice(isEnabled)
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <NoticeDialog text={text} onClose={() => closeNotice(text)} />
    </Suspense>
  )
}
