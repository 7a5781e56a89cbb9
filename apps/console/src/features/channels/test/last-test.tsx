import type { Channel } from '@tollgate/contract/channel'
import { Tooltip } from 'antd'
import { dateTime, duration } from '../../../shared/format/time.ts'
import { Status } from '../../../shared/status/status.tsx'
import { channelTestMessages } from './i18n.ts'
import styles from './test.module.css'
import { toneOfTest } from './tone-of-test.ts'

interface LastTestProps {
  readonly channel: Channel
}

/** The duration of the last test, or that it failed; the tooltip shows when and why. */
export function LastTest({ channel }: LastTestProps) {
  const t = channelTestMessages.use()
  if (channel.test_time === 0) return <span className="muted">{t('never')}</span>
  const { tested_model: model, test_message: message } = channel
  return (
    <Tooltip title={[dateTime(channel.test_time), model, message].filter(Boolean).join(' · ')}>
      <span>
        {channel.test_outcome === 'failed' ? (
          <FailedTest channel={channel} />
        ) : (
          <Status tone={toneOfTest(channel.response_time)} label={duration(channel.response_time)} />
        )}
      </span>
    </Tooltip>
  )
}

/** A red mark, the word for failed, and the HTTP status if the upstream responded. */
export function FailedTest({ channel: { test_status: status } }: LastTestProps) {
  const t = channelTestMessages.use()
  return (
    <span className={styles.failed}>
      <Status tone="act" label={status === 0 ? t('failed') : t('failedWith', { status })} />
    </span>
  )
}
