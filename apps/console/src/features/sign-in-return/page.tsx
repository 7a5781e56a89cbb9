import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@tollgate/contract/client'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Alert, Button, Skeleton } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { failureText } from '../../shared/api/failure.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { providerLabels, redirectToProvider, takeReturnTo } from '../../shared/sign-in/providers.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { FormPage } from '../../shared/page/form-page.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { safeReturn } from '../../shared/routing/return-to.ts'
import { readSelfAgain } from '../../shared/session/self.ts'
import { role, sessionUser, signIn } from '../../shared/session/session.ts'
import { completeCallback, isOAuthProvider, isReturnProvider, type ReturnProvider } from './api.ts'
import { signInReturnMessages } from './i18n.ts'
import styles from './page.module.css'

/**
 * The callback page of a sign-in provider: signs the user in, or binds the identity if a user is already
 * signed in, then redirects.
 */
export default function SignInReturnPage() {
  const t = signInReturnMessages.use()
  const { provider } = useParams({ strict: false })
  if (isReturnProvider(provider)) return <Returning provider={provider} />
  return (
    <FormPage title={t('enter.title', { provider: provider ?? '' })} purpose={t('unknown')}>
      <ButtonLink to={paths.login}>{t('word.backToLogin')}</ButtonLink>
    </FormPage>
  )
}

function Returning({ provider }: { readonly provider: ReturnProvider }) {
  const t = signInReturnMessages.use()
  const [isBinding] = useState(() => sessionUser() !== undefined)
  const label = { provider: providerLabels[provider] }
  const mode = isBinding ? 'bind' : 'enter'
  const come = useCompleteCallback(provider)
  const again = useMutation({
    mutationFn: () =>
      isOAuthProvider(provider) ? redirectToProvider(provider, come.returnTo) : Promise.resolve(),
    meta: { isFailureShown: true },
  })
  const error = again.error ?? come.error
  return (
    <FormPage
      title={error === null ? t(`${mode}.title`, label) : t(`${mode}.failedTitle`, label)}
      purpose={error === null ? t(`${mode}.purpose`, label) : t(`${mode}.failed`)}
    >
      {error === null ? (
        <Skeleton active paragraph={{ rows: 2 }} title={false} />
      ) : (
        <>
          <Alert type="error" role="alert" title={failureText(error)} />
          <div className={styles.buttons}>
            <ButtonLink to={isBinding ? paths.personal : paths.login}>
              {isBinding ? t('toPersonal') : t('word.backToLogin')}
            </ButtonLink>
            {isOAuthProvider(provider) && !isClosed(error) && (
              <Button type="primary" loading={again.isPending} onClick={() => again.mutate()}>
                {t('retry')}
              </Button>
            )}
          </div>
        </>
      )}
    </FormPage>
  )
}

/** Whether the operator has disabled this sign-in provider, so that trying again cannot succeed. */
function isClosed(error: Error): boolean {
  return error instanceof ApiError && error.code === 'door_closed'
}

/**
 * Forwards the callback parameters to the server. They are valid once, so they are sent once, even if React
 * mounts the component twice.
 */
function useCompleteCallback(provider: ReturnProvider) {
  const t = signInReturnMessages.use()
  const navigate = useNavigate()
  const fields: Readonly<Record<string, string>> = useSearch({ strict: false })
  const [returnTo] = useState(() => safeReturn(takeReturnTo(), ''))
  const isHandedOn = useRef(false)
  const { mutate, error } = useMutation({
    mutationFn: () => completeCallback(provider, fields),
    meta: { isFailureShown: true },
    onSuccess: (user) => {
      if (user === undefined) {
        notifyDone(t('bound', { provider: providerLabels[provider] }))
        void readSelfAgain(queryClient)
        void navigate({ href: returnTo || placeOfSettings(), replace: true })
        return
      }
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
      notifyDone(t('word.loggedIn'))
      signIn(user)
      void navigate({ href: returnTo || paths.tokens, replace: true })
    },
  })
  useEffect(() => {
    if (isHandedOn.current) return
    isHandedOn.current = true
    mutate()
  }, [mutate])
  return { error, returnTo }
}

/**
 * The page that shows bindings: for the super admin `/setting`, as in consoles of new-api, which nobody else
 * may open.
 */
function placeOfSettings(): string {
  return (sessionUser()?.role ?? 0) >= role.root ? paths.settings : paths.personal
}
