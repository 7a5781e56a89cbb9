import { useMutation } from '@tanstack/react-query'
import { mailRoutes } from '@tollgate/contract/mail'
import { Alert, Button, Form, Input } from 'antd'
import { api } from '../api/client.ts'
import { failureText } from '../api/failure.ts'
import { doorsMessages } from '../doors/doors-messages.ts'
import { useHumanCheck } from '../doors/human-check.tsx'
import { useAccountRules } from './account-rules.ts'
import { codeMessages } from './code-messages.ts'
import styles from './code-field.module.css'
import { useCountdown } from './use-countdown.ts'

/** So long after a code was sent no other is asked for. */
export const RESEND_SECONDS = 30

interface CodeFieldsProps {
  /** Where the form keeps the address. */
  readonly emailField: string
  readonly codeField: string
}

/**
 * An address and the code that proves it. The same words follow whether the address is known or not: that is told to
 * its owner alone, by mail.
 */
export function CodeFields({ emailField, codeField }: CodeFieldsProps) {
  const t = codeMessages.use()
  const rules = useAccountRules()
  const form = Form.useFormInstance()
  const human = useHumanCheck('verification')
  const doors = doorsMessages.use()
  const [left, startCountdown] = useCountdown()
  const send = useMutation({
    mutationFn: ({ email, turnstile }: { email: string; turnstile: string }) =>
      api.call(mailRoutes.sendCode, { query: { email, turnstile } }),
    meta: { isFailureShown: true },
    onSuccess: () => startCountdown(RESEND_SECONDS),
    onSettled: human.renew,
  })

  async function ask() {
    const { [emailField]: email } = await form.validateFields([emailField])
    if (human.token === undefined) form.setFields([{ name: codeField, errors: [doors('human.wait')] }])
    else send.mutate({ email: String(email).trim(), turnstile: human.token })
  }

  return (
    <>
      <Form.Item name={emailField} label={t('email')} rules={rules.email} validateFirst>
        <Input type="email" autoComplete="email" autoCapitalize="off" spellCheck={false} />
      </Form.Item>
      {human.widget !== null && <Form.Item>{human.widget}</Form.Item>}
      <Form.Item label={t('code')} required htmlFor={codeField} style={{ marginBottom: 0 }}>
        <div className={styles.row}>
          <Form.Item name={codeField} rules={rules.code} extra={send.isSuccess ? t('sent') : undefined}>
            <Input
              id={codeField}
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
            />
          </Form.Item>
          <Button
            disabled={left > 0}
            loading={send.isPending}
            onClick={() => void ask().catch(() => undefined)}
          >
            {left > 0 ? t('resendIn', { seconds: left }) : t('send')}
          </Button>
        </div>
      </Form.Item>
      {send.error !== null && (
        <Form.Item>
          <Alert type="error" role="alert" title={failureText(send.error)} />
        </Form.Item>
      )}
    </>
  )
}
