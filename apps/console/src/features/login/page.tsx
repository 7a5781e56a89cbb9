import { useMutation } from '@tanstack/react-query'
import { sessionRoutes } from '@tollgate/contract/session'
import { Alert, Button, Form, Input } from 'antd'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { FormPage } from '../../shared/page/form-page.tsx'
import { GoTo } from '../../shared/routing/go-to.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { signIn, useSessionUser } from '../../shared/session/session.ts'
import { useStatus } from '../../shared/session/status.ts'
import { loginMessages } from './i18n.ts'
import { safeReturn } from './return-to.ts'
import { loginSearch } from './search.ts'

interface Credentials {
  readonly username: string
  readonly password: string
}

export default function LoginPage() {
  const t = loginMessages.use()
  const status = useStatus()
  const user = useSessionUser()
  const [{ expired, returnTo }] = useSearchState(loginSearch)
  if (user !== undefined) return <GoTo href={safeReturn(returnTo, paths.tokens)} />
  return (
    <FormPage title={t('title', { site: status.system_name })} purpose={t('purpose')}>
      {expired === 'true' && <Alert type="warning" title={t('expired')} />}
      {status.password_login_enabled ? <LoginForm /> : <Alert type="info" title={t('closed')} />}
    </FormPage>
  )
}

/** Once signed in, the page above leads on by itself. */
function LoginForm() {
  const t = loginMessages.use()
  const login = useMutation({
    mutationFn: (credentials: Credentials) => api.call(sessionRoutes.login, { body: credentials }),
    meta: { isFailureShown: true },
    onSuccess: (user) => {
      queryClient.clear()
      notifyDone(t('done'))
      signIn(user)
    },
  })
  const needed = [{ required: true, whitespace: true, message: t('missing') }]
  return (
    <Form<Credentials>
      layout="vertical"
      requiredMark={false}
      onFinish={(credentials) => login.mutate(credentials)}
    >
      <Form.Item name="username" label={t('username')} rules={needed}>
        <Input size="large" autoComplete="username" autoCapitalize="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t('password')} rules={needed}>
        <Input.Password size="large" autoComplete="current-password" />
      </Form.Item>
      {login.error !== null && (
        <Form.Item>
          <Alert type="error" role="alert" title={failureText(login.error)} />
        </Form.Item>
      )}
      <Button block type="primary" size="large" htmlType="submit" loading={login.isPending}>
        {t('submit')}
      </Button>
    </Form>
  )
}
