import { lazy, Suspense } from 'react'
import { closeNotice, useNotice } from '../../../shared/notice/notice.ts'

const NoticeDialog = lazy(async () => ({ default: (await import('./notice-dialog.tsx')).NoticeDialog }))

/** Shows the announcement. Its code is loaded only if there is an announcement. */
export function NoticeHost({ isEnabled }: { readonly isEnabled: boolean }) {
  const { text, isOpen } = useNotice(isEnabled)
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <NoticeDialog text={text} onClose={() => closeNotice(text)} />
    </Suspense>
  )
}
