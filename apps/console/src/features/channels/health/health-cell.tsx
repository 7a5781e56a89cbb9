import type { ChannelHealth } from '@tollgate/contract/channel-insight'
import { Tooltip } from 'antd'
import { channelHealthMessages } from './i18n.ts'
import styles from './health.module.css'
import { percentText, toneOfRate } from './rate.ts'

/** The last hour as twelve bars and a number, so that the state never depends on colour alone. */
export function HealthCell({ health }: { readonly health: ChannelHealth | undefined }) {
  const t = channelHealthMessages.use()
  if (health === undefined) return <span className="muted">…</span>
  const count = health.succeeded + health.failed
  const reported = count === 0 ? t('none') : t('rate', { percent: percentText(health), count })
  const tip = health.is_resting ? `${reported}. ${t('resting')}` : reported
  return (
    <Tooltip title={tip}>
      <span className={styles.cell}>
        <span className={styles.strip} aria-hidden="true">
          {health.slices.map((slice, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- a slice is its place in time
            <span key={place} className={`${styles.slice} ${styles[toneOfRate(slice)] ?? ''}`} />
          ))}
        </span>
        {count > 0 && <span className="number">{percentText(health)} %</span>}
        <span className="visually-hidden">{tip}</span>
      </span>
    </Tooltip>
  )
}
