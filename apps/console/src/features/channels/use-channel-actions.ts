import { type Channel, channelRoutes } from '@tollgate/contract/channel'
import { ApiError } from '@tollgate/contract/client'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { api } from '../../shared/api/client.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { notifyingFailure } from '../../shared/notify/notifying-failure.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { updateChannel, useChannelTypes, useRefreshChannels } from './api.ts'
import { useTestChannel } from './use-test-channel.ts'
import { channelMessages } from './i18n/index.ts'

export interface ChannelDialogs {
  readonly edit: (channel: Channel) => void
  readonly showKeys: (channel: Channel) => void
  readonly pickModel: (channel: Channel) => void
}

/** Actions on one channel: test (with any of its models), edit, duplicate, enable or disable, delete. */
export function useChannelActions({
  edit,
  showKeys,
  pickModel,
}: ChannelDialogs): (channel: Channel) => readonly RowAction[] {
  const t = channelMessages.use()
  const refresh = useRefreshChannels()
  const types = useChannelTypes()

  const test = useTestChannel()
  async function setStatus(channel: Channel, status: number) {
    await updateChannel(channel, { status })
    notifyDone(status === CHANNEL_STATUS.enabled ? t('enabled') : t('disabled'))
    await refresh()
  }
  /** Asks for confirmation, so that a slip of the mouse does not disable a channel. */
  const disable = (channel: Channel) =>
    confirm({
      title: t('disableTitle', { name: channel.name }),
      consequence: t('disableText'),
      confirmLabel: t('word.disable'),
      action: () => setStatus(channel, CHANNEL_STATUS.disabled),
    })
  const copy = (channel: Channel) =>
    confirm({
      title: t('copyTitle', { name: channel.name }),
      consequence: t(types.get(channel.type)?.renews_keys === true ? 'copyWithoutKey' : 'copyText'),
      confirmLabel: t('copy'),
      action: async () => {
        await makeCopy(channel)
        await refresh()
      },
    })
  /**
   * Another operator may have deleted the channel. The list is then outdated, and the dialog closes with a
   * notice.
   */
  async function makeCopy({ id, name }: Channel) {
    try {
      await api.call(channelRoutes.copy, { params: { id }, body: {} })
      notifyDone(t('copied'))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error
      notifyFailure(t('copyGone', { name }))
    }
  }
  const remove = (channel: Channel) =>
    confirm({
      title: t('removeTitle', { name: channel.name }),
      consequence: t('removeText'),
      confirmLabel: t('word.delete'),
      isDestructive: true,
      action: async () => {
        await api.call(channelRoutes.remove, { params: { id: channel.id } })
        notifyDone(t('removed'))
        await refresh()
      },
    })

  return (channel) => {
    const isEnabled = channel.status === CHANNEL_STATUS.enabled
    return [
      { key: 'test', label: t('test'), isInline: true, onSelect: () => void test(channel) },
      { key: 'pick', label: t('testModel'), onSelect: () => pickModel(channel) },
      { key: 'keys', label: t('keys'), onSelect: () => showKeys(channel) },
      { key: 'edit', label: t('word.edit'), isInline: true, onSelect: () => edit(channel) },
      {
        key: 'switch',
        label: isEnabled ? t('word.disable') : t('word.enable'),
        isInline: true,
        onSelect: isEnabled
          ? () => void disable(channel)
          : notifyingFailure(() => setStatus(channel, CHANNEL_STATUS.enabled)),
      },
      { key: 'copy', label: t('copy'), onSelect: () => void copy(channel) },
      { key: 'remove', label: t('word.delete'), isDestructive: true, onSelect: () => void remove(channel) },
    ]
  }
}
