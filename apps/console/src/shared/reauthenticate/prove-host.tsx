import { lazy, Suspense } from 'react'
import { useReauthentication } from './prove.ts'

const ReauthenticationDialog = lazy(async () => ({
  default: (await import('./prove-dialog.tsx')).ReauthenticationDialog,
}))

/** Shows the dialog that asks for the password before a secret is shown. Mounted once, by the shell. */
export function ReauthenticationHost() {
  const answer = useReauthentication((state) => state.answer)
  if (answer === undefined) return null
  return (
    <Suspense fallback={null}>
      <ReauthenticationDialog answer={answer} />
    </Suspense>
  )
}
