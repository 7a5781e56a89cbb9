import type { Channel } from '@tollgate/contract/channel'
import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { Tooltip } from 'antd'
import { dateTime } from '../../shared/format/time.ts'
import { GroupLabel, Status } from '../../shared/status/status.tsx'
import styles from './channels.module.css'
import { channelMessages } from './i18n/index.ts'
import { statusReason } from './status-reason.ts'

export function TypeName({
  channel,
  types,
}: {
  readonly channel: Channel
  readonly types: ReadonlyMap<number, ChannelType>
}) {
  const t = channelMessages.use()
  const label = types.get(channel.type)?.label ?? t('unknownType', { type: channel.type })
  return (
    <span className={styles.cut} title={label}>
      {label}
    </span>
  )
}

export function ChannelStatus({ channel }: { readonly channel: Channel }) {
  const t = channelMessages.use()
  if (channel.status === CHANNEL_STATUS.enabled) return <Status tone="ok" label={t('word.enabled')} />
  if (channel.status !== CHANNEL_STATUS.autoDisabled) return <Status tone="idle" label={t('word.disabled')} />
  const { reason, atSeconds } = statusReason(channel.other_info)
  return (
    <Tooltip title={[atSeconds && dateTime(atSeconds), reason].filter(Boolean).join(' · ')}>
      <span>
        <Status tone="act" label={t('status.auto')} />
      </span>
    </Tooltip>
  )
}

export function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <span className={styles.names}>
      {names.map((name) => (
        <GroupLabel key={name} name={name} />
      ))}
    </span>
  )
}

/** The first of several names, so that the row stays one line high; a tooltip lists them all. */
export function FirstName({ names }: { readonly names: readonly string[] }) {
  const [first, ...others] = names
  if (first === undefined || others.length === 0) return <Names names={names} />
  return (
    <Tooltip title={names.join(', ')}>
      <span className={styles.oneLine}>
        <GroupLabel name={first} />
        <span className="muted number">+{others.length}</span>
      </span>
    </Tooltip>
  )
}

/** A long name is cut; the tooltip shows it in full. */
export function ChannelName({ name }: { readonly name: string }) {
  return (
    <span className={`${styles.cut} ${styles.name}`} title={name}>
      {name}
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
