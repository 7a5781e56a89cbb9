import { type Channel, CHANNEL_STATUS, channelRoutes } from '@tollgate/contract/channel'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { testChannel, updateChannel, useRefreshChannels } from './api.ts'
import { listOf } from './form-value.ts'
import { channelMessages } from './i18n.ts'

const PICKABLE_MODELS_MAX = 50

/** What can be done with one channel: test (with any of its models), edit, duplicate, switch, delete. */
export function useChannelActions(
  edit: (channel: Channel) => void,
): (channel: Channel) => readonly RowAction[] {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()

  async function test(channel: Channel, model?: string) {
    try {
      const { seconds } = await testChannel(channel, model)
      notifyDone(t('testOk', { name: channel.name, seconds: seconds.toFixed(2) }))
    } catch (error) {
      notifyFailure(t('testFailed', { name: channel.name, reason: failureText(error) }))
    }
    await refresh()
  }
  async function setStatus(channel: Channel, status: number) {
    await updateChannel(channel, { status })
    notifyDone(status === CHANNEL_STATUS.enabled ? t('enabled') : t('disabled'))
    await refresh()
  }
  async function copy(channel: Channel) {
    await api.call(channelRoutes.copy, { params: { id: channel.id }, body: {} })
    notifyDone(t('copied'))
    await refresh()
  }
  const remove = (channel: Channel) =>
    confirm({
      title: t('removeTitle', { name: channel.name }),
      consequence: t('removeText'),
      confirmLabel: t('remove'),
      isDestructive: true,
      action: async () => {
        await api.call(channelRoutes.remove, { params: { id: channel.id } })
        notifyDone(t('removed'))
        await refresh()
      },
    })

  return (channel) => {
    const isEnabled = channel.status === CHANNEL_STATUS.enabled
    const nextStatus = isEnabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
    return [
      {
        key: 'test',
        label: t('test'),
        isInline: true,
        onSelect: () => void test(channel),
        children: listOf(channel.models)
          .slice(0, PICKABLE_MODELS_MAX)
          .map((model) => ({ key: model, label: model, onSelect: () => void test(channel, model) })),
      },
      { key: 'edit', label: t('edit'), isInline: true, onSelect: () => edit(channel) },
      {
        key: 'switch',
        label: isEnabled ? t('disable') : t('enable'),
        onSelect: tellingFailure(() => setStatus(channel, nextStatus)),
      },
      { key: 'copy', label: t('copy'), onSelect: tellingFailure(() => copy(channel)) },
      { key: 'remove', label: t('remove'), isDestructive: true, onSelect: () => void remove(channel) },
    ]
  }
}

/** Deletes a selection after one question. */
export function useRemoveMany(): (ids: readonly number[]) => Promise<boolean> {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()
  return (ids) =>
    confirm({
      title: t('removeManyTitle', { count: ids.length }),
      consequence: t('removeText'),
      confirmLabel: t('remove'),
      isDestructive: true,
      action: async () => {
        await api.call(channelRoutes.removeBatch, { body: { ids: [...ids] } })
        notifyDone(t('removed'))
        await refresh()
      },
    })
}

function tellingFailure(action: () => Promise<unknown>): () => void {
  return () => {
    action().catch((error: unknown) => notifyFailure(failureText(error)))
  }
}
