import { useMutation } from '@tanstack/react-query'
import { sessionRoutes } from '@tollgate/contract/session'
import { useState } from 'react'
import { passwordLimits, useAccountChecks, usernameLimits } from '../../shared/account/account-checks.ts'
import { CodeFields } from '../../shared/account/code-field.tsx'
import { keepRegisteredName } from '../../shared/account/registered-name.ts'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { signInMessages } from '../../shared/sign-in/sign-in-messages.ts'
import { useHumanCheck } from '../../shared/sign-in/human-check.tsx'
import { type ProblemFields, fieldOf } from '../../shared/form/show-at-field.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { PlainAlert } from '../../shared/page/plain-alert.tsx'
import { PlainButton } from '../../shared/page/plain-button.tsx'
import { PlainField } from '../../shared/plain-form/plain-field.tsx'
import { PlainForm } from '../../shared/plain-form/plain-form.tsx'
import { type PlainValues, usePlainForm } from '../../shared/plain-form/use-plain-form.ts'
import { useStatus } from '../../shared/session/status.ts'
import { registerMessages } from './i18n.ts'

type RegisterFormValue = PlainValues<'username' | 'password' | 'again' | 'email' | 'verification_code'>

const problemFields: ProblemFields<RegisterFormValue> = {
  username: ['username_taken', 'username_invalid'],
  password: ['password_invalid'],
  again: ['passwords_differ'],
  email: ['email_invalid', 'email_taken', 'email_needed', 'email_domain_refused', 'email_alias_refused'],
  verification_code: ['verification_code_wrong'],
}

interface RegisterFormProps {
  /** The invitation code, or "". */
  readonly affCode: string
  readonly onDone: () => void
}

/**
 * Registers with name and password. If the operator requires it, also with an email address and the code sent
 * to it.
 */
export function RegisterForm({ affCode, onDone }: RegisterFormProps) {
  const t = registerMessages.use()
  const providers = signInMessages.use()
  const { username, password, again, email, code } = useAccountChecks()
  const { email_verification: provesEmail } = useStatus()
  const human = useHumanCheck('register')
  const [isTooEarly, setIsTooEarly] = useState(false)
  const register = useMutation({
    mutationFn: ({ turnstile, ...entered }: RegisterFormValue & { turnstile: string }) => {
      const { again: password2, email: address, verification_code, ...account } = entered
      const proof = provesEmail ? { email: address, verification_code } : {}
      const body = { ...account, password2, ...proof, aff_code: affCode }
      return api.call(sessionRoutes.register, { query: { turnstile }, body })
    },
    meta: { isFailureShown: true },
    onSuccess: (_nothing, { username: name }) => {
      keepRegisteredName(name.trim())
      notifyDone(t('done'))
      onDone()
    },
    onError: (error) => {
      const field = fieldOf(error, problemFields)
      if (field !== undefined) form.tell(field, failureText(error))
    },
    onSettled: human.renew,
  })
  const form = usePlainForm<keyof RegisterFormValue>({
    checks: {
      username,
      password,
      again,
      email: provesEmail ? email : notAsked,
      verification_code: provesEmail ? code : notAsked,
    },
    onSubmit: submit,
  })

  function submit(entered: RegisterFormValue) {
    setIsTooEarly(human.token === undefined)
    if (human.token !== undefined) register.mutate({ ...entered, turnstile: human.token })
  }

  const isElsewhere = register.error !== null && fieldOf(register.error, problemFields) === undefined
  const failure = isTooEarly ? providers('human.wait') : isElsewhere ? failureText(register.error) : ''
  return (
    <PlainForm form={form}>
      <PlainField
        form={form}
        name="username"
        label={t('word.username')}
        help={t('word.usernameHelp', usernameLimits)}
        autoComplete="username"
      />
      <PlainField
        form={form}
        name="password"
        label={t('word.password')}
        help={t('word.characters', passwordLimits)}
        type="password"
        autoComplete="new-password"
      />
      <PlainField
        form={form}
        name="again"
        label={t('word.passwordAgain')}
        type="password"
        autoComplete="new-password"
      />
      {provesEmail && <CodeFields form={form} emailField="email" codeField="verification_code" />}
      {human.widget}
      {failure !== '' && <PlainAlert tone="act" title={failure} />}
      <PlainButton isPrimary isLarge isSubmit isBusy={register.isPending}>
        {t('word.register')}
      </PlainButton>
    </PlainForm>
  )
}

const notAsked = () => undefined
