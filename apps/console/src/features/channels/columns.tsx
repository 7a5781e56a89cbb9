import type { Channel, ChannelType } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/contract/channel'
import { Tooltip } from 'antd'
import { useMemo } from 'react'
import { briefTime, dateTime, duration } from '../../shared/format/time.ts'
import { useMoney } from '../../shared/format/use-money.ts'
import { Label, Status, type Tone } from '../../shared/status/status.tsx'
import type { Column } from '../../shared/table/column.ts'
import { useChannelTypes } from './api.ts'
import styles from './channels.module.css'
import { listOf } from './form-value.ts'
import { channelMessages } from './i18n.ts'
import { InlineNumber } from './inline-number.tsx'
import { statusReason } from './status-reason.ts'

/** The columns of the list; on a phone name, status, provider and how the last test went. */
export function useChannelColumns(): readonly Column<Channel>[] {
  const t = channelMessages.use()
  const money = useMoney()
  const types = useChannelTypes()
  return useMemo(
    () => [
      { key: 'id', title: t('column.id'), isNumber: true, widthPx: 64, render: (channel) => channel.id },
      {
        key: 'name',
        title: t('column.name'),
        isFixed: true,
        phone: 'title',
        render: (channel) => channel.name,
      },
      {
        key: 'type',
        title: t('column.type'),
        phone: 'detail',
        render: (channel) => <TypeName channel={channel} types={types} />,
      },
      {
        key: 'status',
        title: t('column.status'),
        phone: 'value',
        render: (channel) => <ChannelStatus channel={channel} />,
      },
      {
        key: 'group',
        title: t('column.group'),
        render: (channel) => <Names names={listOf(channel.group)} />,
      },
      {
        key: 'models',
        title: t('column.models'),
        phone: 'detail',
        render: (channel) => <Models names={listOf(channel.models)} />,
      },
      {
        key: 'response',
        title: t('column.response'),
        phone: 'detail',
        render: (channel) => <LastTest channel={channel} />,
      },
      {
        key: 'used',
        title: t('column.used'),
        isNumber: true,
        render: (channel) => money.exact(channel.used_quota),
      },
      {
        key: 'priority',
        title: t('column.priority'),
        isNumber: true,
        widthPx: 88,
        render: (channel) => <InlineNumber channel={channel} field="priority" />,
      },
      {
        key: 'weight',
        title: t('column.weight'),
        isNumber: true,
        widthPx: 88,
        render: (channel) => <InlineNumber channel={channel} field="weight" />,
      },
      {
        key: 'tag',
        title: t('column.tag'),
        isHiddenAtFirst: true,
        render: (channel) => channel.tag !== '' && <Label text={channel.tag} />,
      },
      {
        key: 'key',
        title: t('column.key'),
        isHiddenAtFirst: true,
        render: (channel) => <span className="code muted">{channel.key_preview}</span>,
      },
      {
        key: 'created',
        title: t('column.created'),
        isHiddenAtFirst: true,
        render: (channel) => (
          <span title={dateTime(channel.created_time)}>{briefTime(channel.created_time)}</span>
        ),
      },
    ],
    [t, money, types],
  )
}

function TypeName({
  channel,
  types,
}: {
  readonly channel: Channel
  readonly types: ReadonlyMap<number, ChannelType>
}) {
  const t = channelMessages.use()
  return types.get(channel.type)?.label ?? t('unknownType', { type: channel.type })
}

function ChannelStatus({ channel }: { readonly channel: Channel }) {
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

const UNDER_ONE_SECOND_MS = 1000
const SLOW_MS = 5000

/** Green under a second, red above five; what lies between is worth a look. */
function LastTest({ channel }: { readonly channel: Channel }) {
  const t = channelMessages.use()
  if (channel.test_time === 0) return <span className="muted">{t('neverTested')}</span>
  return (
    <Tooltip title={dateTime(channel.test_time)}>
      <span>
        <Status tone={toneOf(channel.response_time)} label={duration(channel.response_time)} />
      </span>
    </Tooltip>
  )
}

function toneOf(milliseconds: number): Tone {
  if (milliseconds < UNDER_ONE_SECOND_MS) return 'ok'
  return milliseconds <= SLOW_MS ? 'look' : 'act'
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <span className={styles.names}>
      {names.map((name) => (
        <Label key={name} text={name} />
      ))}
    </span>
  )
}

function Models({ names }: { readonly names: readonly string[] }) {
  const t = channelMessages.use()
  const [first] = names
  if (names.length === 1 && first !== undefined) return <span className="code">{first}</span>
  return (
    <Tooltip title={names.join(', ')}>
      <span>{t('models', { count: names.length })}</span>
    </Tooltip>
  )
}
