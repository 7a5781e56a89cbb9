import { lazy, Suspense } from 'react'
import { useProof } from './prove.ts'

const ProveDialog = lazy(async () => ({ default: (await import('./prove-dialog.tsx')).ProveDialog }))

/** Shows the dialog that asks for the password before a secret is shown. Mounted once, by the shell. */
export function ProveHost() {
  const answer = useProof((state) => state.answer)
  if (answer === undefined) return null
  return (
    <Suspense fallback={null}>
      <ProveDialog answer={answer} />
    </Suspense>
  )
}
