import { lazy, Suspense } from 'react'
import { useQuestion } from './confirm.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Where `confirm` appears. Mounted once, by the shell; its dialog is loaded with the first question. */
export function ConfirmHost() {
  const question = useQuestion((state) => state.question)
  if (question === undefined) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog key={question.title} question={question} />
    </Suspense>
  )
}
