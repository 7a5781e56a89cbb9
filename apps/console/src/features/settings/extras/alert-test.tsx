import { useMutation } from '@tanstack/react-query'
import { alertRoutes } from '@tollgate/contract/alert'
import { Alert, Button } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'

const NAMES = {
  mail: 'Email',
  feishu: 'Feishu',
  dingtalk: 'DingTalk',
  wecom: 'WeCom',
  slack: 'Slack',
  telegram: 'Telegram',
  bark: 'Bark',
  ntfy: 'ntfy',
  webhook: 'Webhook',
} as const

/** Sends a test to every stored receiver and shows what each answered. */
export function AlertTest() {
  const t = settingMessages.use()
  const { mutate, isPending, data, error } = useMutation({
    meta: { isFailureShown: true },
    mutationFn: () => api.call(alertRoutes.test),
  })
  return (
    <div className={styles.extra}>
      <div className={styles.extraWords}>
        <strong>{t('alert.title')}</strong>
        <p className={styles.help}>{t('alert.help')}</p>
      </div>
      <div className={styles.extraControl}>
        <Button loading={isPending} onClick={() => mutate()}>
          {t('alert.send')}
        </Button>
        {data?.length === 0 && <Alert type="warning" title={t('alert.none')} />}
        {data?.map(({ receiver, is_ok: isOk, reason }) => (
          <Alert
            key={receiver}
            type={isOk ? 'success' : 'error'}
            title={isOk ? t('alert.sent', { name: NAMES[receiver] }) : `${NAMES[receiver]}: ${reason}`}
          />
        ))}
        {error !== null && <Alert type="error" title={failureText(error)} />}
      </div>
    </div>
  )
}
