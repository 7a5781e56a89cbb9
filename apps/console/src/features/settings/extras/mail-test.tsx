import { useMutation } from '@tanstack/react-query'
import { mailRoutes } from '@tollgate/contract/mail'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'

/** Sends a test email with the stored settings and shows the reply of the mail server. */
export function MailTest() {
  const t = settingMessages.use()
  const [to, setTo] = useState('')
  const { mutate, isPending, data, error } = useMutation({
    meta: { isFailureShown: true },
    mutationFn: () => api.call(mailRoutes.sendTest, { body: { to: to.trim() } }),
  })
  return (
    <div className={styles.extra}>
      <div className={styles.extraWords}>
        <strong>{t('mail.title')}</strong>
        <p className={styles.help}>{t('mail.help')}</p>
      </div>
      <div className={styles.extraControl}>
        <div className={styles.pair}>
          <Input
            type="email"
            aria-label={t('mail.to')}
            placeholder={t('mail.to')}
            value={to}
            onChange={(event) => setTo(event.target.value)}
            onPressEnter={(event) => {
              event.preventDefault()
              mutate()
            }}
          />
          <Button loading={isPending} onClick={() => mutate()}>
            {t('mail.send')}
          </Button>
        </div>
        {data !== undefined && (
          <Alert type="success" title={t('mail.sent', { to: data.to, response: data.response })} />
        )}
        {error !== null && <Alert type="error" title={failureText(error)} />}
      </div>
    </div>
  )
}
