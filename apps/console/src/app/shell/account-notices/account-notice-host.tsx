import { useQuery } from '@tanstack/react-query'
import { accountSafetyRoutes } from '@tollgate/contract/account-safety'
import { lazy, Suspense } from 'react'
import { api } from '../../../shared/api/client.ts'
import { useSessionUser } from '../../../shared/session/session.ts'

const AccountNotices = lazy(async () => ({
  default: (await import('./account-notices.tsx')).AccountNotices,
}))

/** Changes of the account that no mail told its owner. Asked once a visit; nothing is loaded for it while there are none. */
export function AccountNoticeHost() {
  const user = useSessionUser()
  const { data: notices } = useQuery({
    queryKey: ['self', 'notices', user?.id],
    enabled: user !== undefined && !user.has_default_password,
    staleTime: Infinity,
    queryFn: ({ signal }) => api.call(accountSafetyRoutes.notices, { signal }),
  })
  if (notices === undefined || notices.length === 0) return null
  return (
    <Suspense fallback={null}>
      <AccountNotices notices={notices} />
    </Suspense>
  )
}
