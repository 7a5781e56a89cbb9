import { useQuery } from '@tanstack/react-query'
import { userRoutes } from '@tollgate/contract/user'
import { plainApi } from '../api/client.ts'
import { ComponentLibrary } from '../design/component-library.tsx'
import { ProveByPassword } from './prove-by-password.tsx'
import { ProveElsewhere } from './prove-elsewhere.tsx'

/**
 * Asks the user to confirm their identity with the password, or to sign in again with the provider if the
 * account has no password.
 */
export function ProveDialog({ answer }: { readonly answer: (isProven: boolean) => void }) {
  const { data: self, isPending } = useQuery({
    queryKey: ['self', 'prove'],
    queryFn: ({ signal }) => plainApi.call(userRoutes.readSelf, { signal }),
    retry: false,
    gcTime: 0,
  })
  if (isPending) return null
  return (
    <ComponentLibrary>
      {self?.has_password === false ? (
        <ProveElsewhere userId={self.id} answer={answer} />
      ) : (
        <ProveByPassword answer={answer} />
      )}
    </ComponentLibrary>
  )
}
