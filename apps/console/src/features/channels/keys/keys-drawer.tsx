import type { Channel } from '@tollgate/contract/channel'
import { type ChannelKey, channelKeyRoutes } from '@tollgate/contract/channel-key'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { Button, Drawer, Select, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { Moment } from '../../../shared/format/moment.tsx'
import { dateTime, duration } from '../../../shared/format/time.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { orNotify } from '../../../shared/notify/notifying-failure.ts'
import { Status } from '../../../shared/status/status.tsx'
import type { Column, RowAction, RowKey } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { AddKeys } from './add-keys.tsx'
import { useKeyPage, useRefreshKeys } from './api.ts'
import { channelKeyMessages } from './i18n.ts'
import styles from './keys.module.css'

interface KeysDrawerProps {
  readonly channel: Channel
  readonly onClose: () => void
}

const PAGE_SIZE = 20

/** Lists the keys of a channel with the state of each; the keys themselves are never shown. */
export function KeysDrawer({ channel, onClose }: KeysDrawerProps) {
  const t = channelKeyMessages.use()
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState(0)
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const [isAdding, setIsAdding] = useState(false)
  const source = useKeyPage(channel.id, { page, pageSize: PAGE_SIZE, status })
  const deeds = useKeyDeeds(channel.id, () => setSelected(new Set()))
  const { setStatusOf, remove, removeRefused, renew } = deeds
  const { data } = source
  const batchActions = useBatchActions([...selected].map(String), deeds)

  return (
    <Drawer open size={760} title={t('title', { name: channel.name })} onClose={onClose}>
      <div className={styles.whole}>
        <p className="muted">{t('purpose')}</p>
        <div className="line-8">
          <Select
            className={styles.filter}
            aria-label={t('word.status')}
            value={status}
            options={[
              { value: 0, label: t('word.anyStatus') },
              { value: CHANNEL_STATUS.enabled, label: t('word.enabled') },
              { value: CHANNEL_STATUS.disabled, label: t('word.disabled') },
              { value: CHANNEL_STATUS.autoDisabled, label: t('status.auto') },
            ]}
            onChange={(next) => {
              setStatus(next)
              setPage(1)
            }}
          />
          {data !== undefined && (
            <span className="muted number">
              {t('counts', { enabled: data.enabled, disabled: data.disabled, auto: data.autoDisabled })}
            </span>
          )}
          <span className={styles.gap} />
          {(data?.autoDisabled ?? 0) > 0 && (
            <Button danger onClick={() => void removeRefused(data?.autoDisabled ?? 0)}>
              {t('removeRefused')}
            </Button>
          )}
          <Button type="primary" onClick={() => setIsAdding(true)}>
            {t('add')}
          </Button>
        </div>
        <DataTable
          label={t('title', { name: channel.name })}
          source={source}
          columns={useKeyColumns(data?.rows.some((key) => key.can_renew) ?? false)}
          rowKey={(key: ChannelKey) => key.hash}
          isRowMuted={(key) => key.status !== CHANNEL_STATUS.enabled}
          selection={{ keys: selected, onChange: setSelected }}
          batchActions={batchActions}
          actions={(key): readonly RowAction[] => {
            const isEnabled = key.status === CHANNEL_STATUS.enabled
            const next = isEnabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
            return [
              {
                key: 'switch',
                label: isEnabled ? t('word.disable') : t('word.enable'),
                isInline: true,
                onSelect: () => void setStatusOf([key.hash], next),
              },
              ...(key.can_renew
                ? [{ key: 'renew', label: t('renew'), onSelect: () => void renew(key.hash) }]
                : []),
              {
                key: 'remove',
                label: t('word.delete'),
                isDestructive: true,
                onSelect: () => void remove([key.hash]),
              },
            ]
          }}
          paging={{ page, pageSize: PAGE_SIZE, onPage: setPage }}
          empty={{ title: t('empty') }}
        />
      </div>
      {isAdding && <AddKeys channelId={channel.id} onClose={() => setIsAdding(false)} />}
    </Drawer>
  )
}

function useKeyDeeds(id: number, onRemoved: () => void) {
  const t = channelKeyMessages.use()
  const refresh = useRefreshKeys(id)
  const params = { id }

  const setStatusOf = (hashes: readonly string[], status: 1 | 2) =>
    orNotify(async () => {
      const body = { hashes: [...hashes], status }
      notifyDone(t('changed', { count: await api.call(channelKeyRoutes.setStatus, { params, body }) }))
      await refresh()
    })
  const removal = (count: number, body: { hashes: string[] } | { auto_disabled: true }) =>
    confirm({
      title: t('removeTitle', { count }),
      consequence: t('removeText'),
      confirmLabel: t('word.delete'),
      isDestructive: true,
      action: async () => {
        notifyDone(t('removed', { count: await api.call(channelKeyRoutes.remove, { params, body }) }))
        onRemoved()
        await refresh()
      },
    })
  async function renew(hash: string) {
    await orNotify(async () => {
      const { ends_time: at } = await api.call(channelKeyRoutes.renew, { params, body: { hash } })
      notifyDone(at === 0 ? t('renewed') : t('renewedUntil', { time: dateTime(at) }))
    })
    await refresh()
  }
  return {
    setStatusOf,
    renew,
    remove: (hashes: readonly string[]) => removal(hashes.length, { hashes: [...hashes] }),
    removeRefused: (count: number) => removal(count, { auto_disabled: true }),
  }
}

type KeyDeeds = ReturnType<typeof useKeyDeeds>

/** Actions on several keys at once. */
function useBatchActions(hashes: readonly string[], { setStatusOf, remove }: KeyDeeds): readonly RowAction[] {
  const t = channelKeyMessages.use()
  const disable = () =>
    confirm({
      title: t('disableTitle', { count: hashes.length }),
      consequence: t('disableText'),
      confirmLabel: t('word.disable'),
      isDestructive: true,
      action: () => setStatusOf(hashes, CHANNEL_STATUS.disabled),
    })
  return [
    {
      key: 'enable',
      label: t('word.enable'),
      isInline: true,
      onSelect: () => void setStatusOf(hashes, CHANNEL_STATUS.enabled),
    },
    { key: 'disable', label: t('word.disable'), isInline: true, onSelect: () => void disable() },
    { key: 'remove', label: t('word.delete'), isDestructive: true, onSelect: () => void remove(hashes) },
  ]
}

/** `hasEnds`: only keys of some providers expire. */
function useKeyColumns(hasEnds: boolean): readonly Column<ChannelKey>[] {
  const t = channelKeyMessages.use()
  return useMemo(
    () => [
      {
        key: 'key',
        title: t('word.key'),
        phone: 'title',
        render: ({ preview }) => <span className="code">{preview}</span>,
      },
      {
        key: 'status',
        title: t('word.status'),
        phone: 'value',
        render: (key) => <KeyStatus channelKey={key} />,
      },
      {
        key: 'state',
        title: t('column.state'),
        phone: 'detail',
        render: (key) => <KeyState channelKey={key} />,
      },
      ...(hasEnds
        ? [
            {
              key: 'ends',
              title: t('column.ends'),
              phone: 'detail' as const,
              render: ({ ends_time: seconds }: ChannelKey) => <Moment seconds={seconds} />,
            },
          ]
        : []),
      { key: 'uses', title: t('word.uses'), isNumber: true, phone: 'detail', render: ({ uses }) => uses },
      {
        key: 'last',
        title: t('word.lastUsed'),
        render: ({ last_used_time: seconds }) => <Moment seconds={seconds} />,
      },
    ],
    [t, hasEnds],
  )
}

function KeyStatus({ channelKey: { status, reason, status_time: at } }: { readonly channelKey: ChannelKey }) {
  const t = channelKeyMessages.use()
  if (status === CHANNEL_STATUS.enabled && reason !== '') {
    return (
      <Tooltip title={reason}>
        <span>
          <Status tone="look" label={t('status.unrenewed')} />
        </span>
      </Tooltip>
    )
  }
  if (status === CHANNEL_STATUS.enabled) return <Status tone="ok" label={t('word.enabled')} />
  if (status === CHANNEL_STATUS.disabled) return <Status tone="idle" label={t('word.disabled')} />
  return (
    <Tooltip title={`${dateTime(at)} · ${reason}`}>
      <span>
        <Status tone="act" label={t('status.auto')} />
      </span>
    </Tooltip>
  )
}

function KeyState({ channelKey: { status, state, rest_ms: restMs } }: { readonly channelKey: ChannelKey }) {
  const t = channelKeyMessages.use()
  if (status !== CHANNEL_STATUS.enabled) return null
  if (state === 'ready') return t('ready')
  return <Status tone="look" label={t(state === 'open' ? 'open' : 'resting', { time: duration(restMs) })} />
}
