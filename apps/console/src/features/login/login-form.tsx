import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionRoutes } from '@tollgate/contract/session'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { doorsMessages } from '../../shared/doors/doors-messages.ts'
import { useHumanCheck } from '../../shared/doors/human-check.tsx'
import { notifyDone } from '../../shared/notify/notify.ts'
import { paths } from '../../shared/routing/paths.ts'
import { signIn } from '../../shared/session/session.ts'
import { useStatus } from '../../shared/session/status.ts'
import { DEFAULT_ACCOUNT } from './default-account.ts'
import { loginMessages } from './i18n.ts'
import styles from './page.module.css'

interface Credentials {
  readonly username: string
  readonly password: string
}

/** Name and password. `onDefaultPassword` is told when they were those every copy of an old release came with. */
export function LoginForm({ onDefaultPassword }: { readonly onDefaultPassword: () => void }) {
  const t = loginMessages.use()
  const doors = doorsMessages.use()
  const { password_reset_enabled: canReset } = useStatus()
  const human = useHumanCheck('login')
  const [isTooEarly, setIsTooEarly] = useState(false)
  const login = useMutation({
    mutationFn: ({ turnstile, ...body }: Credentials & { turnstile: string }) =>
      api.call(sessionRoutes.login, { query: { turnstile }, body }),
    meta: { isFailureShown: true },
    onSuccess: (user, { username, password }) => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
      const isDefault = username.trim() === DEFAULT_ACCOUNT.username && password === DEFAULT_ACCOUNT.password
      if (isDefault) onDefaultPassword()
      else notifyDone(t('done'))
      signIn(user)
    },
    onSettled: human.renew,
  })

  function submit(credentials: Credentials) {
    setIsTooEarly(human.token === undefined)
    if (human.token !== undefined) login.mutate({ ...credentials, turnstile: human.token })
  }

  const needed = [{ required: true, whitespace: true, message: t('missing') }]
  const failure = isTooEarly ? doors('human.wait') : login.error === null ? '' : failureText(login.error)
  return (
    <Form<Credentials> layout="vertical" requiredMark={false} onFinish={submit}>
      <Form.Item name="username" label={t('username')} rules={needed}>
        <Input size="large" autoComplete="username" autoCapitalize="off" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t('password')} rules={needed}>
        <Input.Password size="large" autoComplete="current-password" />
      </Form.Item>
      {human.widget !== null && <Form.Item>{human.widget}</Form.Item>}
      {failure !== '' && (
        <Form.Item>
          <Alert type="error" role="alert" title={failure} />
        </Form.Item>
      )}
      <Button block type="primary" size="large" htmlType="submit" loading={login.isPending}>
        {t('submit')}
      </Button>
      {canReset && (
        <p className={styles.forgotten}>
          <Link to={paths.reset}>{t('forgotten')}</Link>
        </p>
      )}
    </Form>
  )
}
