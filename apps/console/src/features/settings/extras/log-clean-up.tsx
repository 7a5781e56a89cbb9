import { useMutation } from '@tanstack/react-query'
import { logRoutes } from '@tollgate/contract/log'
import { Alert, Button } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { TimePicker } from '../../../shared/form/time-picker.tsx'
import { dateTime } from '../../../shared/format/time.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'

const TIME_FIELD = 'log-clean-up-time'

/** Deletes the usage log up to a chosen time, once. */
export function LogCleanUp() {
  const t = settingMessages.use()
  const [before, setBefore] = useState<dayjs.Dayjs>()
  const [isTimeMissing, setIsTimeMissing] = useState(false)
  const { mutate, isPending, data, error, reset } = useMutation({
    meta: { isFailureShown: true },
    mutationFn: (target_timestamp: number) => api.call(logRoutes.removeOld, { query: { target_timestamp } }),
  })
  const ask = async () => {
    reset()
    const isPast = before?.isBefore(dayjs()) ?? false
    setIsTimeMissing(!isPast)
    if (before === undefined || !isPast) return
    const isConfirmed = await confirm({
      title: t('logs.ask', { time: dateTime(before.unix()) }),
      consequence: t('logs.consequence'),
      confirmLabel: t('logs.submit'),
      isDestructive: true,
    })
    if (isConfirmed) mutate(before.unix())
  }
  return (
    <div className={styles.extra}>
      <div className={styles.extraWords}>
        <strong>
          <label htmlFor={TIME_FIELD}>{t('logs.title')}</label>
        </strong>
        <p className={styles.help}>{t('logs.help')}</p>
      </div>
      <div className={styles.extraControl}>
        <div className={styles.pair}>
          <TimePicker
            id={TIME_FIELD}
            placeholder={t('logs.time')}
            maxDate={dayjs()}
            value={before}
            onChange={(time) => {
              setBefore(time)
              setIsTimeMissing(false)
            }}
            status={isTimeMissing ? 'error' : undefined}
          />
          <Button danger loading={isPending} onClick={() => void ask()}>
            {t('logs.submit')}
          </Button>
        </div>
        {isTimeMissing && <Alert type="error" title={t('logs.timeMissing')} />}
        {data !== undefined && <Alert type="success" title={t('logs.done', { count: data })} />}
        {error !== null && <Alert type="error" title={t('logs.failed')} description={failureText(error)} />}
      </div>
    </div>
  )
}
