import { useMutation } from '@tanstack/react-query'
import { accountRoutes, NOTIFY_THRESHOLD_MAX } from '@tollgate/contract/account'
import { Alert, Button, Form, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { QuotaInput } from '../../../shared/form/quota-input.tsx'
import { isSameValue } from '../../../shared/form/same-value.ts'
import { type ProblemFields, fieldOf, showAtField } from '../../../shared/form/show-at-field.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { useRefreshSelf } from '../api.ts'
import { personalMessages } from '../i18n/index.ts'
import styles from './notify.module.css'
import { formOf, type NotifyForm, THRESHOLD_PICKS } from './setting.ts'
import { EmailPart, WebhookPart } from './notification-channel-fields.tsx'

const problemFields: ProblemFields<NotifyForm> = {
  quota_warning_threshold: ['notify_threshold_invalid'],
  webhook_url: ['webhook_url_missing', 'webhook_url_invalid'],
  webhook_secret: ['webhook_secret_invalid'],
  notification_email: ['email_invalid'],
}

interface NotifyFormViewProps {
  /** The account's `setting` as JSON text. */
  readonly setting: string
  readonly ownEmail: string
  readonly isSuperAdmin: boolean
}

export function NotifyFormView({ setting, ownEmail, isSuperAdmin }: NotifyFormViewProps) {
  const t = personalMessages.use()
  const { quota_remind_threshold: siteThreshold } = useStatus()
  const [form] = Form.useForm<NotifyForm>()
  const [{ form: initial, hasSecret }] = useState(() => formOf(setting, siteThreshold))
  const entered = Form.useWatch((value: NotifyForm) => value, { form, preserve: true })
  const refresh = useRefreshSelf()
  const save = useMutation({
    mutationFn: (value: NotifyForm) => api.call(accountRoutes.updateSetting, { body: value }),
    meta: { isFailureShown: true },
    onError: (error) => showAtField(form, error, problemFields),
    onSuccess: async () => {
      notifyDone(t('notify.saved'))
      await refresh()
    },
  })
  const test = useMutation({
    mutationFn: () => api.call(accountRoutes.testNotification),
    onSuccess: () => notifyDone(t('notify.tested')),
  })
  const isDirty = !isSameValue(initial, { ...initial, ...entered })
  const isElsewhere = save.error !== null && fieldOf(save.error, problemFields) === undefined
  return (
    <Form<NotifyForm>
      name="notify"
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={initial}
      onFinish={(value) => save.mutate({ ...initial, ...value })}
    >
      <Form.Item name="notify_type" label={t('notify.type')}>
        <Segmented
          options={[
            { value: 'email', label: t('notify.email') },
            { value: 'webhook', label: t('notify.webhook') },
          ]}
        />
      </Form.Item>
      {(entered?.notify_type ?? initial.notify_type) === 'email' ? (
        <EmailPart ownEmail={ownEmail} />
      ) : (
        <WebhookPart hasSecret={hasSecret} isSuperAdmin={isSuperAdmin} />
      )}
      <Form.Item
        name="quota_warning_threshold"
        label={t('notify.threshold')}
        extra={t('notify.thresholdHelp')}
        rules={[{ type: 'number', min: 1, max: NOTIFY_THRESHOLD_MAX, message: t('notify.thresholdForm') }]}
      >
        <QuotaInput pickUnits={THRESHOLD_PICKS} />
      </Form.Item>
      <Form.Item
        name="accept_unset_model_ratio_model"
        label={t('notify.unset')}
        extra={t('notify.unsetHelp')}
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
      <Form.Item
        name="notify_tasks"
        label={t('notify.tasks')}
        extra={t('notify.tasksHelp')}
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
      {isElsewhere && (
        <Form.Item>
          <Alert type="error" role="alert" title={failureText(save.error)} />
        </Form.Item>
      )}
      <div className={styles.buttons}>
        {isDirty && <span className={styles.unsaved}>{t('form.unsaved')}</span>}
        <Button
          disabled={isDirty}
          title={isDirty ? t('notify.testLater') : undefined}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('notify.test')}
        </Button>
        <Button type="primary" htmlType="submit" disabled={!isDirty} loading={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </Form>
  )
}
