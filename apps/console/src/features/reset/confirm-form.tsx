import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { mailRoutes } from '@tollgate/contract/mail'
import { ApiError } from '@tollgate/contract/client'
import { Alert, Button, Form, Input } from 'antd'
import { passwordLimits, useAccountRules } from '../../shared/account/account-rules.ts'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { signOut } from '../../shared/session/session.ts'
import { resetMessages } from './i18n.ts'

interface ConfirmFormProps {
  readonly email: string
  readonly token: string
}

/** The owner chooses the password; a link that is used or too old leads to asking for another. */
export function ConfirmForm({ email, token }: ConfirmFormProps) {
  const t = resetMessages.use()
  const rules = useAccountRules()
  const navigate = useNavigate()
  const reset = useMutation({
    mutationFn: (password: string) =>
      api.call(mailRoutes.resetPassword, { body: { email, token, password } }),
    meta: { isFailureShown: true },
    onSuccess: () => {
      // Sessions of this account have ended on the server, one of this browser too.
      signOut()
      notifyDone(t('confirm.done'))
      void navigate({ to: paths.login, replace: true })
    },
  })
  const isLinkUsed = reset.error instanceof ApiError && reset.error.code === 'reset_link_refused'
  return (
    <Form<{ password: string; again: string }>
      layout="vertical"
      requiredMark={false}
      onFinish={({ password }) => reset.mutate(password)}
    >
      <Form.Item
        name="password"
        label={t('confirm.password')}
        extra={t('confirm.passwordHelp', passwordLimits)}
        rules={rules.password}
        validateFirst
      >
        <Input.Password size="large" autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label={t('confirm.again')}
        dependencies={['password']}
        rules={rules.repeats('password')}
      >
        <Input.Password size="large" autoComplete="new-password" />
      </Form.Item>
      {reset.error !== null && (
        <Form.Item>
          <Alert
            type="error"
            role="alert"
            title={failureText(reset.error)}
            action={isLinkUsed && <ButtonLink to={paths.reset}>{t('confirm.other')}</ButtonLink>}
          />
        </Form.Item>
      )}
      <Button block type="primary" size="large" htmlType="submit" loading={reset.isPending}>
        {t('confirm.submit')}
      </Button>
    </Form>
  )
}
