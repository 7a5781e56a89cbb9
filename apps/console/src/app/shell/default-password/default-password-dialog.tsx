import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DEFAULT_PASSWORD } from '@tollgate/contract/account-rules'
import { userRoutes } from '@tollgate/contract/user'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { useAccountRules } from '../../../shared/account/account-rules.ts'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { ComponentLibrary } from '../../../shared/design/component-library.tsx'
import { focusOn } from '../../../shared/form/focus-on.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { selfQuery } from '../../../shared/session/self.ts'
import { signIn } from '../../../shared/session/session.ts'
import { logOut } from '../log-out.ts'
import { defaultPasswordMessages } from './i18n.ts'

const FORM_ID = 'new-password'

/**
 * The default password is publicly known: the server refuses every other request until the user sets a new
 * one.
 */
export function DefaultPasswordDialog() {
  const t = defaultPasswordMessages.use()
  const client = useQueryClient()
  const rules = useAccountRules()
  const change = useMutation({
    mutationFn: async (password: string) => {
      await api.call(userRoutes.updateSelf, { body: { password, original_password: DEFAULT_PASSWORD } })
      return api.call(userRoutes.readSelf)
    },
    meta: { isFailureShown: true },
    onSuccess: (self) => {
      notifyDone(t('done'))
      client.setQueryData(selfQuery.queryKey, self)
      signIn(self)
    },
  })
  return (
    <ComponentLibrary>
      <Modal
        open
        afterOpenChange={() => focusOn(`${FORM_ID}_password`)}
        closable={false}
        keyboard={false}
        mask={{ closable: false }}
        width={440}
        title={t('title')}
        footer={
          <>
            <Button onClick={() => void logOut()}>{t('logOut')}</Button>
            <Button type="primary" htmlType="submit" form={FORM_ID} loading={change.isPending}>
              {t('submit')}
            </Button>
          </>
        }
      >
        <p className="muted" style={{ marginBottom: 16 }}>
          {t('text')}
        </p>
        <Form<{ password: string; again: string }>
          name={FORM_ID}
          layout="vertical"
          requiredMark={false}
          onFinish={({ password }) => change.mutate(password)}
        >
          <Form.Item name="password" label={t('password')} rules={rules.password} validateFirst>
            <Input.Password autoComplete="new-password" />
          </Form.Item>
          <Form.Item name="again" label={t('again')} dependencies={['password']} rules={rules.again}>
            <Input.Password autoComplete="new-password" />
          </Form.Item>
          {change.error !== null && <Alert type="error" role="alert" title={failureText(change.error)} />}
        </Form>
      </Modal>
    </ComponentLibrary>
  )
}
