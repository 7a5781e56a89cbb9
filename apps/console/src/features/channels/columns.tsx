import type { Channel } from '@tollgate/contract/channel'
import type { ChannelHealth } from '@tollgate/contract/channel-insight'
import { useMemo } from 'react'
import { briefTime, dateTime } from '../../shared/format/time.ts'
import { Label } from '../../shared/status/status.tsx'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import { useChannelTypes } from './api.ts'
import { Balance } from './balance.tsx'
import { ChannelName, ChannelStatus, FirstName, Models, TypeName } from './cells.tsx'
import { listOf } from './form-value.ts'
import { HealthCell } from './health/health-cell.tsx'
import { channelMessages } from './i18n/index.ts'
import { InlineNumber } from './inline-number.tsx'
import { defaultFirst } from './tags/group-by-tag.ts'
import { LastTest } from './test/last-test.tsx'

/** The columns of the list; a phone shows name, status, provider and the result of the last test. */
export function useChannelColumns(health: ReadonlyMap<number, ChannelHealth>): readonly Column<Channel>[] {
  const t = channelMessages.use()
  const types = useChannelTypes()
  return useMemo(
    () => [
      { key: 'id', title: t('word.id'), isNumber: true, widthPx: 40, render: (channel) => channel.id },
      {
        key: 'name',
        title: t('word.name'),
        isFixed: true,
        phone: 'title',
        render: (channel) => <ChannelName name={channel.name} />,
      },
      {
        key: 'type',
        title: t('column.type'),
        phone: 'detail',
        render: (channel) => <TypeName channel={channel} types={types} />,
      },
      {
        key: 'status',
        title: t('word.status'),
        phone: 'value',
        render: (channel) => <ChannelStatus channel={channel} />,
      },
      {
        key: 'group',
        title: t('word.groups'),
        render: (channel) => <FirstName names={defaultFirst(listOf(channel.group))} />,
      },
      {
        key: 'models',
        title: t('word.models'),
        isHiddenAtFirst: true,
        phone: 'detail',
        render: (channel) => <Models names={listOf(channel.models)} />,
      },
      {
        key: 'response',
        title: t('column.response'),
        canSort: true,
        phone: 'detail',
        render: (channel) => <LastTest channel={channel} />,
      },
      {
        key: 'health',
        title: t('column.health'),
        phone: 'detail',
        render: (channel) => <HealthCell health={health.get(channel.id)} />,
      },
      amountColumn({
        key: 'used',
        title: t('word.used'),
        canSort: true,
        phone: 'more',
        amount: (channel) => channel.used_quota,
      }),
      {
        key: 'balance',
        title: t('word.balance'),
        canSort: true,
        isNumber: true,
        phone: 'more',
        render: (channel) => <Balance channel={channel} type={types.get(channel.type)} />,
      },
      {
        key: 'priority',
        title: t('column.priority'),
        isNumber: true,
        widthPx: 72,
        phone: 'more',
        render: (channel) => <InlineNumber channel={channel} field="priority" />,
      },
      {
        key: 'weight',
        title: t('column.weight'),
        isNumber: true,
        widthPx: 72,
        phone: 'more',
        render: (channel) => <InlineNumber channel={channel} field="weight" />,
      },
      {
        key: 'tag',
        title: t('word.tag'),
        isHiddenAtFirst: true,
        render: (channel) => channel.tag !== '' && <Label text={channel.tag} />,
      },
      {
        key: 'key',
        title: t('word.key'),
        isHiddenAtFirst: true,
        render: (channel) => <span className="code muted">{channel.key_preview}</span>,
      },
      {
        key: 'created',
        title: t('word.created'),
        isHiddenAtFirst: true,
        render: (channel) => (
          <span title={dateTime(channel.created_time)}>{briefTime(channel.created_time)}</span>
        ),
      },
    ],
    [t, types, health],
  )
}
