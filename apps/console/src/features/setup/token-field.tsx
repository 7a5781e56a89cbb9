import { Form, Input } from 'antd'
import { setupMessages } from './i18n.ts'
import styles from './setup-form.module.css'

/** The setup token is required if the page is not opened on the gateway's own machine. */
export function TokenField() {
  const t = setupMessages.use()
  return (
    <div className={styles.fields}>
      <Form.Item
        name="token"
        label={t('token')}
        rules={[{ required: true, whitespace: true, message: t('error.token') }]}
      >
        <Input autoComplete="off" autoCapitalize="off" spellCheck={false} />
      </Form.Item>
    </div>
  )
}

/**
 * Reads the setup token from the link that the gateway prints, `/setup#token=…`; browsers never send the part
 * after `#` to a server.
 */
export function tokenFromLink(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
}
