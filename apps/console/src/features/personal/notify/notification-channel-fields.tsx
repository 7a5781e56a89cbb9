import { checkRule } from '../../../shared/form/check-rule.ts'
import { schemaRule } from '../../../shared/form/schema-rule.ts'
import { WEBHOOK_SECRET_CHARACTERS_MAX } from '@tollgate/contract/account'
import { emailSchema } from '@tollgate/contract/account-rules'
import { Form, Input } from 'antd'
import { personalMessages } from '../i18n/index.ts'
import { isWebhookUrl } from './setting.ts'

/** An empty field means the account's own address. */
export function EmailPart({ ownEmail }: { readonly ownEmail: string }) {
  const t = personalMessages.use()
  return (
    <Form.Item
      name="notification_email"
      label={t('notify.address')}
      extra={ownEmail === '' ? t('notify.addressNone') : t('notify.addressHelp')}
      rules={[schemaRule(emailSchema, t('notify.addressForm'))]}
    >
      <Input type="email" autoComplete="email" placeholder={ownEmail} />
    </Form.Item>
  )
}

interface WebhookPartProps {
  readonly hasSecret: boolean
  readonly isSuperAdmin: boolean
}

export function WebhookPart({ hasSecret, isSuperAdmin }: WebhookPartProps) {
  const t = personalMessages.use()
  return (
    <>
      <Form.Item
        name="webhook_url"
        label={t('notify.url')}
        extra={isSuperAdmin ? `${t('notify.urlHelp')} ${t('notify.urlPlain')}` : t('notify.urlHelp')}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: t('notify.urlMissing') },
          checkRule((value: string) => isWebhookUrl(value, { isSuperAdmin }), t('notify.urlForm')),
        ]}
      >
        <Input type="url" inputMode="url" placeholder="https://example.com/webhook" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="webhook_secret"
        label={t('notify.secret')}
        extra={hasSecret ? t('notify.secretKept') : t('notify.secretHelp')}
        rules={[
          { max: WEBHOOK_SECRET_CHARACTERS_MAX, message: t('notify.secretForm') },
          { pattern: /^[\x21-\x7e]*$/, message: t('notify.secretForm') },
        ]}
      >
        <Input.Password autoComplete="new-password" placeholder={hasSecret ? '••••••••' : ''} />
      </Form.Item>
    </>
  )
}
