import { useQuery } from '@tanstack/react-query'
import { accountSafetyRoutes } from '@tollgate/contract/account-safety'
import { lazy, Suspense } from 'react'
import { api } from '../../../shared/api/client.ts'
import { useSessionUser } from '../../../shared/session/session.ts'

const AccountNotices = lazy(async () => ({
  default: (await import('./account-notices.tsx')).AccountNotices,
}))

/**
 * Shows account changes that could not be emailed to the account's owner. They are requested once per visit,
 * and the code that shows them is loaded only if there are any.
 */
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
