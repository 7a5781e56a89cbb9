import { useMutation } from '@tanstack/react-query'
import { mailRoutes } from '@tollgate/contract/mail'
import { api } from '../api/client.ts'
import { failureText } from '../api/failure.ts'
import { signInMessages } from '../sign-in/sign-in-messages.ts'
import { useHumanCheck } from '../sign-in/human-check.tsx'
import { PlainAlert } from '../page/plain-alert.tsx'
import { PlainButton } from '../page/plain-button.tsx'
import { PlainField } from '../plain-form/plain-field.tsx'
import type { PlainFormState } from '../plain-form/use-plain-form.ts'
import styles from './code-field.module.css'
import { codeMessages } from './code-messages.ts'
import { useCountdown } from './use-countdown.ts'

/** Seconds to wait before another code can be requested. */
export const RESEND_SECONDS = 30

interface CodeFieldsProps<Name extends string> {
  readonly form: PlainFormState<Name>
  /** The form field that holds the address. */
  readonly emailField: Name
  readonly codeField: Name
}

/**
 * An email address and the code that verifies it. The same message is shown for every address; whether an
 * address is registered is only revealed to its owner, by email.
 */
export function CodeFields<Name extends string>({ form, emailField, codeField }: CodeFieldsProps<Name>) {
  const t = codeMessages.use()
  const human = useHumanCheck('verification')
  const providers = signInMessages.use()
  const [left, startCountdown] = useCountdown()
  const send = useMutation({
    mutationFn: ({ email, turnstile }: { email: string; turnstile: string }) =>
      api.call(mailRoutes.sendCode, { query: { email, turnstile } }),
    meta: { isFailureShown: true },
    onSuccess: () => startCountdown(RESEND_SECONDS),
    onSettled: human.renew,
  })

  function ask() {
    if (!form.check(emailField)) return
    if (human.token === undefined) form.tell(codeField, providers('human.wait'))
    else send.mutate({ email: form.values[emailField].trim(), turnstile: human.token })
  }

  return (
    <>
      <PlainField form={form} name={emailField} label={t('email')} type="email" autoComplete="email" />
      {human.widget}
      <PlainField
        form={form}
        name={codeField}
        label={t('code')}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        help={send.isSuccess && form.errorOf(codeField) === undefined ? t('sent') : undefined}
        beside={
          <span className={styles.send}>
            <PlainButton isDisabled={left > 0} isBusy={send.isPending} onClick={ask}>
              {left > 0 ? t('resendIn', { seconds: left }) : t('send')}
            </PlainButton>
          </span>
        }
      />
      {send.error !== null && <PlainAlert tone="act" title={failureText(send.error)} />}
    </>
  )
}
