import { useQuery } from '@tanstack/react-query'
import { installationRoutes } from '@tollgate/contract/installation'
import { lazy, Suspense } from 'react'
import { api } from '../../../shared/api/client.ts'
import { useIsAdmin, useSessionUser } from '../../../shared/session/session.ts'

const CopyNotice = lazy(async () => ({ default: (await import('./copy-notice.tsx')).CopyNotice }))

/** Tells administrators while the database is a copy that nobody has confirmed. It is asked for once per visit. */
export function CopyNoticeHost() {
  const user = useSessionUser()
  const isAdmin = useIsAdmin()
  const { data: installation } = useQuery({
    queryKey: ['installation', user?.id],
    enabled: isAdmin && !user?.has_default_password,
    staleTime: Infinity,
    queryFn: ({ signal }) => api.call(installationRoutes.read, { signal }),
  })
  if (installation === undefined || installation.is_confirmed) return null
  return (
    <Suspense fallback={null}>
      <CopyNotice installation={installation} />
    </Suspense>
  )
}
