import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionRoutes } from '@tollgate/contract/session'
import { useState } from 'react'
import { registeredName } from '../../shared/account/registered-name.ts'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { signInMessages } from '../../shared/sign-in/sign-in-messages.ts'
import { useHumanCheck } from '../../shared/sign-in/human-check.tsx'
import { notifyDone } from '../../shared/notify/notify.ts'
import { PlainAlert } from '../../shared/page/plain-alert.tsx'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { PlainField } from '../../shared/plain-form/plain-field.tsx'
import { PlainForm } from '../../shared/plain-form/plain-form.tsx'
import { usePlainForm } from '../../shared/plain-form/use-plain-form.ts'
import { paths } from '../../shared/routing/paths.ts'
import { signIn } from '../../shared/session/session.ts'
import { useStatus } from '../../shared/session/status.ts'
import { loginMessages } from './i18n.ts'
import styles from './page.module.css'

interface Credentials {
  readonly username: string
  readonly password: string
}

/** Signs in with name and password. */
export function LoginForm() {
  const t = loginMessages.use()
  const providers = signInMessages.use()
  const { password_reset_enabled: canReset } = useStatus()
  const human = useHumanCheck('login')
  const [isTooEarly, setIsTooEarly] = useState(false)
  const login = useMutation({
    mutationFn: ({ turnstile, ...body }: Credentials & { turnstile: string }) =>
      api.call(sessionRoutes.login, { query: { turnstile }, body }),
    meta: { isFailureShown: true },
    onSuccess: (user) => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
      if (!user.has_default_password) notifyDone(t('word.loggedIn'))
      signIn(user)
    },
    onSettled: human.renew,
  })
  const needed = (text: string) => (text.trim() === '' ? t('missing') : undefined)
  const form = usePlainForm({
    initial: { username: registeredName() },
    checks: { username: needed, password: needed },
    onSubmit: submit,
  })

  function submit(credentials: Credentials) {
    setIsTooEarly(human.token === undefined)
    if (human.token !== undefined) login.mutate({ ...credentials, turnstile: human.token })
  }

  const failure = isTooEarly ? providers('human.wait') : login.error === null ? '' : failureText(login.error)
  return (
    <PlainForm form={form}>
      <PlainField form={form} name="username" label={t('username')} autoComplete="username" isLarge />
      <PlainField
        form={form}
        name="password"
        label={t('word.password')}
        type="password"
        autoComplete="current-password"
        isFocused={registeredName() !== ''}
        isLarge
      />
      {human.widget}
      {failure !== '' && <PlainAlert tone="act" title={failure} />}
      <div>
        <PlainButton isPrimary isLarge isSubmit isBusy={login.isPending}>
          {t('word.login')}
        </PlainButton>
        {canReset && (
          <p className={styles.forgotten}>
            <Link to={paths.reset}>{t('forgotten')}</Link>
          </p>
        )}
      </div>
    </PlainForm>
  )
}
