import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { selfQuery } from '../../../shared/session/self.ts'
import { useSessionUser } from '../../../shared/session/session.ts'

const DefaultPasswordDialog = lazy(async () => ({
  default: (await import('./default-password-dialog.tsx')).DefaultPasswordDialog,
}))

/** Replaces the page of the console as long as the reader still has the default password. */
export function DefaultPasswordHost({ children }: { readonly children: ReactNode }) {
  const user = useSessionUser()
  const { data: self } = useQuery({ ...selfQuery, enabled: user !== undefined })
  if (!(self ?? user)?.has_default_password) return children
  return (
    <Suspense fallback={null}>
      <DefaultPasswordDialog />
    </Suspense>
  )
}
