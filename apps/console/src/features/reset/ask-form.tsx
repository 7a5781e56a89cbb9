import { useMutation } from '@tanstack/react-query'
import { mailRoutes } from '@tollgate/contract/mail'
import { useState } from 'react'
import { useAccountChecks } from '../../shared/account/account-checks.ts'
import { RESEND_SECONDS } from '../../shared/account/code-field.tsx'
import { useCountdown } from '../../shared/account/use-countdown.ts'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { signInMessages } from '../../shared/sign-in/sign-in-messages.ts'
import { useHumanCheck } from '../../shared/sign-in/human-check.tsx'
import { PlainAlert } from '../../shared/page/plain-alert.tsx'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { PlainField } from '../../shared/plain-form/plain-field.tsx'
import { PlainForm } from '../../shared/plain-form/plain-form.tsx'
import { usePlainForm } from '../../shared/plain-form/use-plain-form.ts'
import { useStatus } from '../../shared/session/status.ts'
import { resetMessages } from './i18n.ts'

/**
 * The same message is shown for every address, so that only the owner of an address learns whether it is
 * registered.
 */
export function AskForm() {
  const t = resetMessages.use()
  const providers = signInMessages.use()
  const { email: checkEmail } = useAccountChecks()
  const { password_reset_enabled: isPossible } = useStatus()
  const human = useHumanCheck('reset')
  const [isTooEarly, setIsTooEarly] = useState(false)
  const [left, startCountdown] = useCountdown()
  const ask = useMutation({
    mutationFn: (query: { email: string; turnstile: string }) =>
      api.call(mailRoutes.sendResetLink, { query }),
    meta: { isFailureShown: true },
    onSuccess: () => startCountdown(RESEND_SECONDS),
    onSettled: human.renew,
  })
  const form = usePlainForm({ checks: { email: checkEmail }, onSubmit: submit })
  if (!isPossible) return <PlainAlert tone="info" title={t('closed')} />

  function submit({ email }: { readonly email: string }) {
    setIsTooEarly(human.token === undefined)
    if (human.token !== undefined) ask.mutate({ email: email.trim(), turnstile: human.token })
  }

  const failure = isTooEarly ? providers('human.wait') : ask.error === null ? '' : failureText(ask.error)
  return (
    <PlainForm form={form}>
      <PlainField form={form} name="email" label={t('email')} type="email" autoComplete="email" isLarge />
      {human.widget}
      {failure !== '' && <PlainAlert tone="act" title={failure} />}
      {ask.isSuccess && (
        <PlainAlert
          tone="ok"
          title={t('sent.title')}
          description={t('sent.text', { email: ask.variables.email })}
        />
      )}
      <PlainButton isPrimary isLarge isSubmit isDisabled={left > 0} isBusy={ask.isPending}>
        {left > 0 ? t('resendIn', { seconds: left }) : t('submit')}
      </PlainButton>
    </PlainForm>
  )
}
