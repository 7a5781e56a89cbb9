import { channelRoutes } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { notifyDone, notifyFailure } from '../../../shared/notify/notify.ts'
import type { RowAction } from '../../../shared/table/column.ts'
import { statusActions } from '../../../shared/table/status-actions.ts'
import { useRefreshChannels } from '../api.ts'
import { channelBulkMessages } from './i18n.ts'

interface SelectedChannels {
  readonly ids: readonly number[]
  readonly clear: () => void
  /** Opens the form that sets the tag. */
  readonly onTag: () => void
}

/** Actions on several channels at once: enable, disable, tag, untag, delete. */
export function useBatchActions({ ids, clear, onTag }: SelectedChannels): readonly RowAction[] {
  const t = channelBulkMessages.use()
  const refresh = useRefreshChannels()
  const body = { ids: [...ids] }
  const count = ids.length

  const untag = () =>
    confirm({
      title: t('untagTitle', { count }),
      consequence: t('untagText'),
      confirmLabel: t('untag'),
      isDestructive: true,
      action: async () => {
        const untagged = await api.call(channelRoutes.tagBatch, { body: { ...body, tag: null } })
        notifyDone(t('untagged', { count: untagged }))
        await refresh()
      },
    })
  const remove = () =>
    confirm({
      title: t('removeTitle', { count }),
      consequence: t('removeText'),
      confirmLabel: t('word.delete'),
      isDestructive: true,
      action: async () => {
        notifyDone(t('removed', { count: await api.call(channelRoutes.removeBatch, { body }) }))
        clear()
        await refresh()
      },
    })

  return [
    ...statusActions({
      enable: t('word.enable'),
      disable: t('word.disable'),
      question: t('disableTitle', { count }),
      consequence: t('disableText'),
      setEnabled: async (isEnabled) => {
        const status = isEnabled ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled
        const changed = await api.call(channelRoutes.statusBatch, { body: { ...body, status } })
        notifyDone(t(isEnabled ? 'enabled' : 'disabled', { count: changed }))
        if (changed < count) notifyFailure(t('gone', { count: count - changed }))
        await refresh()
      },
    }),
    { key: 'tag', label: t('tag'), onSelect: onTag },
    { key: 'untag', label: t('untag'), onSelect: () => void untag() },
    { key: 'remove', label: t('word.delete'), isDestructive: true, onSelect: () => void remove() },
  ]
}
