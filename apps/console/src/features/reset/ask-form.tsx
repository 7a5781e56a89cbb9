import { useMutation } from '@tanstack/react-query'
import { mailRoutes } from '@tollgate/contract/mail'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useAccountRules } from '../../shared/account/account-rules.ts'
import { RESEND_SECONDS } from '../../shared/account/code-field.tsx'
import { useCountdown } from '../../shared/account/use-countdown.ts'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { doorsMessages } from '../../shared/doors/doors-messages.ts'
import { useHumanCheck } from '../../shared/doors/human-check.tsx'
import { useStatus } from '../../shared/session/status.ts'
import { resetMessages } from './i18n.ts'

/** The same words follow for every address: whether it is known is told to its owner alone. */
export function AskForm() {
  const t = resetMessages.use()
  const doors = doorsMessages.use()
  const rules = useAccountRules()
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
  if (!isPossible) return <Alert type="info" title={t('closed')} />

  function submit({ email }: { email: string }) {
    setIsTooEarly(human.token === undefined)
    if (human.token !== undefined) ask.mutate({ email: email.trim(), turnstile: human.token })
  }

  const failure = isTooEarly ? doors('human.wait') : ask.error === null ? '' : failureText(ask.error)
  return (
    <Form<{ email: string }> layout="vertical" requiredMark={false} onFinish={submit}>
      <Form.Item name="email" label={t('email')} rules={rules.email} validateFirst>
        <Input size="large" type="email" autoComplete="email" autoCapitalize="off" spellCheck={false} />
      </Form.Item>
      {human.widget !== null && <Form.Item>{human.widget}</Form.Item>}
      {failure !== '' && (
        <Form.Item>
          <Alert type="error" role="alert" title={failure} />
        </Form.Item>
      )}
      {ask.isSuccess && (
        <Form.Item>
          <Alert
            type="success"
            title={t('sent.title')}
            description={t('sent.text', { email: ask.variables.email })}
          />
        </Form.Item>
      )}
      <Button block type="primary" size="large" htmlType="submit" disabled={left > 0} loading={ask.isPending}>
        {left > 0 ? t('resendIn', { seconds: left }) : t('submit')}
      </Button>
    </Form>
  )
}
