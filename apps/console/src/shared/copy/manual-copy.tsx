import { lazy, Suspense } from 'react'
import { useManualCopy } from './copy.ts'

const ManualCopyDialog = lazy(async () => ({
  default: (await import('./manual-copy-dialog.tsx')).ManualCopyDialog,
}))

/** The fallback dialog of `copyText`. Mounted once, by the shell. */
export function ManualCopy() {
  const text = useManualCopy((state) => state.text)
  if (text === undefined) return null
  return (
    <Suspense fallback={null}>
      <ManualCopyDialog text={text} onClose={() => useManualCopy.setState({ text: undefined })} />
    </Suspense>
  )
}
