import { useMutation } from '@tanstack/react-query'
import { statusRoutes } from '@tollgate/contract/status'
import { Alert, Button } from 'antd'
import { lazy, Suspense } from 'react'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { dateTime } from '../../../shared/format/time.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'

const Markdown = lazy(async () => ({
  default: (await import('../../../shared/markdown/markdown.tsx')).Markdown,
}))

/** The running version and its start time. A newer version is looked up only on request. */
export function VersionFacts() {
  const t = settingMessages.use()
  const { version, start_time: startedAt } = useStatus()
  const { mutate, isPending, data, error } = useMutation({
    meta: { isFailureShown: true },
    mutationFn: () => api.call(statusRoutes.checkUpdate),
  })
  return (
    <div className={styles.extra}>
      <dl className={`${styles.facts} number`}>
        <dt>{t('version.current')}</dt>
        <dd>{version}</dd>
        <dt>{t('version.started')}</dt>
        <dd>{startedAt > 0 ? dateTime(startedAt) : '–'}</dd>
      </dl>
      <div className={styles.extraControl}>
        <div>
          <Button loading={isPending} onClick={() => mutate()}>
            {t('version.check')}
          </Button>
        </div>
        {data?.is_newer === false && (
          <Alert type="success" title={t('version.latest', { version: data.latest })} />
        )}
        {data?.is_newer === true && (
          <Alert
            type="info"
            title={t('version.newer', { version: data.latest })}
            description={
              <>
                {data.notes !== '' && (
                  <div className={styles.notes}>
                    <Suspense fallback={null}>
                      <Markdown text={data.notes} />
                    </Suspense>
                  </div>
                )}
                {data.url !== '' && (
                  <a href={data.url} target="_blank" rel="noreferrer noopener">
                    {t('version.read')}
                  </a>
                )}
              </>
            }
          />
        )}
        {error !== null && <Alert type="error" title={failureText(error)} />}
      </div>
    </div>
  )
}
