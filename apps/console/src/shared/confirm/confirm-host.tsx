import { lazy, Suspense } from 'react'
import { useQuestion } from './confirm.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Shows the dialogs of `confirm`. Mounted once, by the shell; the dialog's code is loaded on first use. */
export function ConfirmHost() {
  const question = useQuestion((state) => state.question)
  if (question === undefined) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog key={question.title} question={question} />
    </Suspense>
  )
}
