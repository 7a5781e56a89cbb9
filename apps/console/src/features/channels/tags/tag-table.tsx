import { sourceOf } from '../../../shared/table/page-of.ts'
import { type Channel, channelRoutes } from '@tollgate/contract/channel'
import { useMemo, useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { duration } from '../../../shared/format/time.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { orNotify } from '../../../shared/notify/notifying-failure.ts'
import { Status } from '../../../shared/status/status.tsx'
import { amountColumn } from '../../../shared/table/amount-column.tsx'
import type { Column, RowAction, TableSource } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import type { Paging } from '../../../shared/table/paging.ts'
import { useRefreshChannels } from '../api.ts'
import { Names } from '../cells.tsx'
import { channelMessages } from '../i18n/index.ts'
import { groupByTag, type TagGroup } from './group-by-tag.ts'
import { channelTagMessages } from './i18n.ts'
import { TagForm } from './tag-form.tsx'
import { TagNumber } from './tag-number.tsx'

interface TagTableProps {
  readonly source: TableSource<Channel>
  readonly paging: Paging
  readonly columns: readonly Column<Channel>[]
  readonly actions: (channel: Channel) => readonly RowAction[]
  readonly isFiltered: boolean
}

/**
 * The columns that fit into a row below its tag. The other values are the same for all channels of the tag,
 * or are shown in the full list.
 */
const MEMBER_COLUMNS = new Set(['id', 'name', 'type', 'status', 'response', 'used', 'priority', 'weight'])

/** One row per tag, with its channels below it. */
export function TagTable({ source, paging, columns, actions, isFiltered }: TagTableProps) {
  const t = channelTagMessages.use()
  const [edited, setEdited] = useState<string>()
  const { data } = source
  const groups = useMemo(() => data && { rows: groupByTag(data.rows), total: data.total }, [data])
  const tagActions = useTagActions(setEdited)
  return (
    <>
      <DataTable
        label={t('word.tag')}
        source={{ ...source, data: groups }}
        columns={useTagColumns()}
        rowKey={(group: TagGroup) => group.tag}
        isRowMuted={(group) => group.enabled === 0}
        actions={tagActions}
        renderDetails={(group) => (
          <DataTable
            label={group.tag}
            source={sourceOf(group.channels)}
            columns={columns.filter(({ key }) => MEMBER_COLUMNS.has(key))}
            rowKey={(channel: Channel) => channel.id}
            actions={actions}
            empty={{ title: '' }}
          />
        )}
        paging={paging}
        empty={isFiltered ? { title: t('nothingFound') } : { title: t('emptyTitle'), text: t('emptyText') }}
      />
      {edited !== undefined && <TagForm key={edited} tag={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function useTagColumns(): readonly Column<TagGroup>[] {
  const t = channelTagMessages.use()
  const words = channelMessages.use()
  return useMemo(
    () => [
      { key: 'tag', title: t('word.tag'), phone: 'title', render: ({ tag }) => tag },
      {
        key: 'enabled',
        title: t('word.enabled'),
        phone: 'value',
        render: ({ enabled, channels }) => (
          <Status
            tone={enabled === 0 ? 'idle' : enabled < channels.length ? 'look' : 'ok'}
            label={t('enabledOf', { enabled, count: channels.length })}
          />
        ),
      },
      {
        key: 'group',
        title: words('word.groups'),
        phone: 'detail',
        render: ({ groups }) => <Names names={groups} />,
      },
      {
        key: 'response',
        title: words('column.response'),
        isNumber: true,
        render: ({ responseMs }) => (responseMs > 0 ? duration(responseMs) : '–'),
      },
      amountColumn({
        key: 'used',
        title: words('word.used'),
        phone: 'detail',
        amount: ({ usedQuota }) => usedQuota,
      }),
      {
        key: 'priority',
        title: words('column.priority'),
        isNumber: true,
        render: (group) => <TagNumber group={group} field="priority" />,
      },
      {
        key: 'weight',
        title: words('column.weight'),
        isNumber: true,
        render: (group) => <TagNumber group={group} field="weight" />,
      },
    ],
    [t, words],
  )
}

function useTagActions(edit: (tag: string) => void): (group: TagGroup) => readonly RowAction[] {
  const t = channelTagMessages.use()
  const refresh = useRefreshChannels()
  const enableAll = (tag: string) =>
    orNotify(async () => {
      const count = await api.call(channelRoutes.enableTag, { body: { tag } })
      notifyDone(t('enabled', { count }))
      await refresh()
    })
  const disableAll = (tag: string) =>
    confirm({
      title: t('disableTitle', { tag }),
      consequence: t('disableText'),
      confirmLabel: t('disableAll'),
      isDestructive: true,
      action: async () => {
        const count = await api.call(channelRoutes.disableTag, { body: { tag } })
        notifyDone(t('disabled', { count }))
        await refresh()
      },
    })
  return ({ tag }) => [
    { key: 'edit', label: t('edit'), isInline: true, onSelect: () => edit(tag) },
    { key: 'enable', label: t('enableAll'), onSelect: () => void enableAll(tag) },
    { key: 'disable', label: t('disableAll'), onSelect: () => void disableAll(tag) },
  ]
}
