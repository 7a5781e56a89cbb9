import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { failureText } from '../api/failure.ts'
import { ComponentLibrary } from '../design/component-library.tsx'
import { focusOn } from '../form/focus-on.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { useStatus } from '../session/status.ts'
import { signInMessages } from './sign-in-messages.ts'
import styles from './providers.module.css'

const FORM_ID = 'wechat-code'

interface WechatDialogProps {
  /** Signs in or binds; a rejection is shown below the code field. */
  readonly onCode: (code: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Shows the QR code to scan, and a field for the code that the WeChat account sends back. */
export function WechatDialog({ onCode, onClose }: WechatDialogProps) {
  const t = signInMessages.use()
  const shared = sharedMessages.use()
  const { wechat_qrcode: picture } = useStatus()
  const enter = useMutation({ mutationFn: onCode, meta: { isFailureShown: true } })
  return (
    <ComponentLibrary>
      <Modal
        open
        afterOpenChange={() => focusOn(`${FORM_ID}_code`)}
        width={400}
        title={t('wechat.title')}
        onCancel={onClose}
        footer={
          <>
            <Button onClick={onClose}>{shared('cancel')}</Button>
            <Button type="primary" htmlType="submit" form={FORM_ID} loading={enter.isPending}>
              {t('wechat.submit')}
            </Button>
          </>
        }
      >
        <div className={styles.wechat}>
          {picture !== '' && <img src={picture} alt={t('wechat.alt')} width={200} height={200} />}
          <p className="muted">{picture === '' ? t('wechat.noImage') : t('wechat.text')}</p>
        </div>
        <Form<{ code: string }>
          name={FORM_ID}
          layout="vertical"
          requiredMark={false}
          onFinish={({ code }) => enter.mutate(code.trim())}
        >
          <Form.Item
            name="code"
            label={t('wechat.code')}
            rules={[{ required: true, whitespace: true, message: t('wechat.missing') }]}
          >
            <Input autoComplete="one-time-code" />
          </Form.Item>
          {enter.error !== null && <Alert type="error" role="alert" title={failureText(enter.error)} />}
        </Form>
      </Modal>
    </ComponentLibrary>
  )
}
