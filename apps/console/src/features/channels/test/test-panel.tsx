import type { Channel } from '@tollgate/contract/channel'
import { Moment } from '../../../shared/format/moment.tsx'
import { duration } from '../../../shared/format/time.ts'
import { Status } from '../../../shared/status/status.tsx'
import { channelTestMessages } from './i18n.ts'
import { FailedTest } from './last-test.tsx'
import styles from './test.module.css'
import { toneOfTest } from './tone-of-test.ts'

/** The full result of a channel's last test. */
export function TestPanel({ channel }: { readonly channel: Channel }) {
  const t = channelTestMessages.use()
  const { test_time: time, response_time: took, tested_model: model, test_message: message } = channel
  return (
    <section className={styles.panel} aria-label={t('title')}>
      <strong>{t('title')}</strong>
      {time === 0 ? (
        <span className="muted">{t('never')}</span>
      ) : (
        <span className={styles.line}>
          {channel.test_outcome === 'failed' ? (
            <FailedTest channel={channel} />
          ) : (
            <Status tone={toneOfTest(took)} label={t('passed', { time: duration(took) })} />
          )}
          <Moment seconds={time} />
          {model !== '' && <span className="code">{model}</span>}
        </span>
      )}
      {message !== '' && <span className={styles.message}>{message}</span>}
    </section>
  )
}
