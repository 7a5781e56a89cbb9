import { useMutation } from '@tanstack/react-query'
import { userRoutes } from '@tollgate/contract/user'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { useAccountRules } from '../../shared/account/account-rules.ts'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { focusOn } from '../../shared/form/focus-on.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { DEFAULT_ACCOUNT } from './default-account.ts'
import { loginMessages } from './i18n.ts'

const FORM_ID = 'new-password'

/** Anybody knows this password: nothing else is shown before there is another. */
export function DefaultPasswordDialog({ onDone }: { readonly onDone: () => void }) {
  const t = loginMessages.use()
  const rules = useAccountRules()
  const change = useMutation({
    mutationFn: (password: string) =>
      api.call(userRoutes.updateSelf, {
        body: { password, original_password: DEFAULT_ACCOUNT.password },
      }),
    meta: { isFailureShown: true },
    onSuccess: () => {
      notifyDone(t('default.done'))
      onDone()
    },
  })
  return (
    <Modal
      open
      afterOpenChange={() => focusOn(`${FORM_ID}_password`)}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={440}
      title={t('default.title')}
      footer={
        <Button type="primary" htmlType="submit" form={FORM_ID} loading={change.isPending}>
          {t('default.submit')}
        </Button>
      }
    >
      <p className="muted" style={{ marginBottom: 16 }}>
        {t('default.text')}
      </p>
      <Form<{ password: string; again: string }>
        name={FORM_ID}
        layout="vertical"
        requiredMark={false}
        onFinish={({ password }) => change.mutate(password)}
      >
        <Form.Item name="password" label={t('default.password')} rules={rules.password} validateFirst>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="again"
          label={t('default.again')}
          dependencies={['password']}
          rules={rules.repeats('password')}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        {change.error !== null && <Alert type="error" role="alert" title={failureText(change.error)} />}
      </Form>
    </Modal>
  )
}
