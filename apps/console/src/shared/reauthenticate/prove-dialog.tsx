import { useQuery } from '@tanstack/react-query'
import { userRoutes } from '@tollgate/contract/user'
import { plainApi } from '../api/client.ts'
import { ComponentLibrary } from '../design/component-library.tsx'
import { ReauthenticateByPassword } from './prove-by-password.tsx'
import { ReauthenticateInNewWindow } from './reauthenticate-in-new-window.tsx'

/**
 * Asks the user to confirm their identity with the password, or to sign in again with the provider if the
 * account has no password.
 */
export function ReauthenticationDialog({ answer }: { readonly answer: (isProven: boolean) => void }) {
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
        <ReauthenticateInNewWindow userId={self.id} answer={answer} />
      ) : (
        <ReauthenticateByPassword answer={answer} />
      )}
    </ComponentLibrary>
  )
}
