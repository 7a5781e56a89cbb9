import { type Channel, CHANNEL_STATUS, type ChannelType } from '@tollgate/contract/channel'
import { Tooltip } from 'antd'
import { dateTime, duration } from '../../shared/format/time.ts'
import { Label, Status } from '../../shared/status/status.tsx'
import styles from './channels.module.css'
import { channelMessages } from './i18n.ts'
import { statusReason } from './status-reason.ts'
import { toneOfTest } from './tone-of-test.ts'

export function TypeName({
  channel,
  types,
}: {
  readonly channel: Channel
  readonly types: ReadonlyMap<number, ChannelType>
}) {
  const t = channelMessages.use()
  return types.get(channel.type)?.label ?? t('unknownType', { type: channel.type })
}

export function ChannelStatus({ channel }: { readonly channel: Channel }) {
  const t = channelMessages.use()
  if (channel.status === CHANNEL_STATUS.enabled) return <Status tone="ok" label={t('status.enabled')} />
  if (channel.status !== CHANNEL_STATUS.autoDisabled)
    return <Status tone="idle" label={t('status.disabled')} />
  const { reason, atSeconds } = statusReason(channel.other_info)
  return (
    <Tooltip title={[atSeconds && dateTime(atSeconds), reason].filter(Boolean).join(' · ')}>
      <span>
        <Status tone="act" label={t('status.auto')} />
      </span>
    </Tooltip>
  )
}

/** Green up to a second, red above five; what lies between is worth a look. */
export function LastTest({ channel }: { readonly channel: Channel }) {
  const t = channelMessages.use()
  if (channel.test_time === 0) return <span className="muted">{t('neverTested')}</span>
  return (
    <Tooltip title={dateTime(channel.test_time)}>
      <span>
        <Status tone={toneOfTest(channel.response_time)} label={duration(channel.response_time)} />
      </span>
    </Tooltip>
  )
}

export function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <span className={styles.names}>
      {names.map((name) => (
        <Label key={name} text={name} />
      ))}
    </span>
  )
}

export function Models({ names }: { readonly names: readonly string[] }) {
  const t = channelMessages.use()
  const [first] = names
  if (names.length === 1 && first !== undefined) return <span className="code">{first}</span>
  return (
    <Tooltip title={names.join(', ')}>
      <span>{t('models', { count: names.length })}</span>
    </Tooltip>
  )
}
