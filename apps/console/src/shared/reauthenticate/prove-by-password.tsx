import { useMutation } from '@tanstack/react-query'
import { accountRoutes } from '@tollgate/contract/account'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { plainApi } from '../api/client.ts'
import { failureText } from '../api/failure.ts'
import { focusOn } from '../form/focus-on.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { proveMessages } from './prove-messages.ts'

const FORM_ID = 'prove-password'

export function ReauthenticateByPassword({ answer }: { readonly answer: (isProven: boolean) => void }) {
  const t = proveMessages.use()
  const shared = sharedMessages.use()
  const prove = useMutation({
    mutationFn: (password: string) => plainApi.call(accountRoutes.prove, { body: { password } }),
    meta: { isFailureShown: true },
    onSuccess: () => answer(true),
  })
  return (
    <Modal
      open
      afterOpenChange={() => focusOn(`${FORM_ID}_password`)}
      width={440}
      zIndex={1100}
      title={t('title')}
      onCancel={() => answer(false)}
      footer={
        <>
          <Button onClick={() => answer(false)}>{shared('cancel')}</Button>
          <Button type="primary" htmlType="submit" form={FORM_ID} loading={prove.isPending}>
            {t('submit')}
          </Button>
        </>
      }
    >
      <p className="muted" style={{ marginBottom: 16 }}>
        {t('text')}
      </p>
      <Form<{ password: string }>
        name={FORM_ID}
        layout="vertical"
        requiredMark={false}
        onFinish={({ password }) => prove.mutate(password)}
      >
        <Form.Item
          name="password"
          label={t('password')}
          rules={[{ required: true, message: t('missing') }]}
          style={{ marginBottom: 12 }}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        {prove.error !== null && <Alert type="error" role="alert" title={failureText(prove.error)} />}
      </Form>
    </Modal>
  )
}
