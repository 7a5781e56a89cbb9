import type { ChannelHealth } from '@tollgate/contract/channel-insight'
import { Fragment } from 'react'
import { Moment } from '../../../shared/format/moment.tsx'
import { duration } from '../../../shared/format/time.ts'
import { Status } from '../../../shared/status/status.tsx'
import { channelHealthMessages } from './i18n.ts'
import styles from './health.module.css'
import { percentText, toneOfRate } from './rate.ts'

/** A channel's health over the last hour: success rate, latencies, and its errors. */
export function HealthPanel({ health }: { readonly health: ChannelHealth | undefined }) {
  const t = channelHealthMessages.use()
  if (health === undefined) return <p className="muted">{t('loading')}</p>
  const { first_byte_p50: p50, first_byte_p95: p95 } = health
  const count = health.succeeded + health.failed
  return (
    <div className={styles.panel}>
      <Status
        tone={toneOfRate(health)}
        label={count === 0 ? t('none') : t('rate', { percent: percentText(health), count })}
      />
      {health.is_resting && <Status tone="look" label={t('resting')} />}
      {p50 !== undefined && p95 !== undefined && (
        <span>{t('firstByte', { p50: duration(p50), p95: duration(p95) })}</span>
      )}
      <strong>{health.errors.length === 0 ? t('noErrors') : t('errors')}</strong>
      <dl className={styles.errors}>
        {health.errors.map((error) => (
          <Fragment key={`${error.time} ${error.code} ${error.detail}`}>
            <dt>
              <Moment seconds={error.time} />
            </dt>
            <dt className="code">
              {error.status} {error.code}
            </dt>
            <dd>{error.detail}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}
