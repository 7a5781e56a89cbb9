import { useMutation } from '@tanstack/react-query'
import { sessionRoutes } from '@tollgate/contract/session'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { passwordLimits, useAccountRules, usernameLimits } from '../../shared/account/account-rules.ts'
import { CodeFields } from '../../shared/account/code-field.tsx'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { doorsMessages } from '../../shared/doors/doors-messages.ts'
import { useHumanCheck } from '../../shared/doors/human-check.tsx'
import { type ProblemFields, fieldOf, showAtField } from '../../shared/form/show-at-field.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { useStatus } from '../../shared/session/status.ts'
import { registerMessages } from './i18n.ts'

interface Entered {
  readonly username: string
  readonly password: string
  readonly again: string
  readonly email?: string
  readonly verification_code?: string
}

const problemFields: ProblemFields<Entered> = {
  username: ['username_taken', 'username_invalid'],
  password: ['password_invalid'],
  email: ['email_invalid', 'email_taken', 'email_needed', 'email_domain_refused', 'email_alias_refused'],
  verification_code: ['verification_code_wrong'],
}

interface RegisterFormProps {
  /** Of who invited, or "". */
  readonly affCode: string
  readonly onDone: () => void
}

/** Name and password, and where the operator asks for it, an address with the code that proves it. */
export function RegisterForm({ affCode, onDone }: RegisterFormProps) {
  const t = registerMessages.use()
  const doors = doorsMessages.use()
  const rules = useAccountRules()
  const { email_verification: provesEmail } = useStatus()
  const [form] = Form.useForm<Entered>()
  const human = useHumanCheck('register')
  const [isTooEarly, setIsTooEarly] = useState(false)
  const register = useMutation({
    mutationFn: ({ again: _again, ...account }: Entered & { turnstile: string }) => {
      const { turnstile, ...body } = account
      return api.call(sessionRoutes.register, { query: { turnstile }, body: { ...body, aff_code: affCode } })
    },
    meta: { isFailureShown: true },
    onSuccess: () => {
      notifyDone(t('done'))
      onDone()
    },
    onError: (error) => showAtField(form, error, problemFields),
    onSettled: human.renew,
  })

  function submit(entered: Entered) {
    setIsTooEarly(human.token === undefined)
    if (human.token !== undefined) register.mutate({ ...entered, turnstile: human.token })
  }

  const isElsewhere = register.error !== null && fieldOf(register.error, problemFields) === undefined
  const failure = isTooEarly ? doors('human.wait') : isElsewhere ? failureText(register.error) : ''
  return (
    <Form<Entered>
      form={form}
      layout="vertical"
      requiredMark={false}
      scrollToFirstError={{ behavior: 'instant', block: 'center', focus: true }}
      onFinish={submit}
    >
      <Form.Item
        name="username"
        label={t('username')}
        extra={t('usernameHelp', usernameLimits)}
        rules={rules.username}
        validateFirst
      >
        <Input autoComplete="username" autoCapitalize="off" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('password')}
        extra={t('passwordHelp', passwordLimits)}
        rules={rules.password}
        validateFirst
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label={t('again')}
        dependencies={['password']}
        rules={rules.repeats('password')}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      {provesEmail && <CodeFields emailField="email" codeField="verification_code" />}
      {human.widget !== null && <Form.Item>{human.widget}</Form.Item>}
      {failure !== '' && (
        <Form.Item>
          <Alert type="error" role="alert" title={failure} />
        </Form.Item>
      )}
      <Button block type="primary" size="large" htmlType="submit" loading={register.isPending}>
        {t('submit')}
      </Button>
    </Form>
  )
}
