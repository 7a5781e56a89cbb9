import type { channelRoutes } from '@tollgate/contract/channel'
import type { familyRoutes } from '@tollgate/contract/family'
import { CHANNEL_STATUS, type SwitchedStatus } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { restoreKeys } from '@tollgate/store/channels/keys'
import { type ChannelChange, modelListsOfTag, updateChannels } from '@tollgate/store/channels/channels'
import { splitList } from '../comma-list.ts'
import type { ChangedBy } from '../change.ts'
import type { Handler } from '../handler.ts'
import { readFields } from './fields.ts'
import type { ChannelServices } from './services.ts'
import { auditable } from './wire.ts'

type Which = Parameters<typeof updateChannels>[1]

export function enableTag(services: ChannelServices): Handler<typeof channelRoutes.enableTag> {
  return (call) => changeStatus(services, { tag: readTag(call.body.tag) }, CHANNEL_STATUS.enabled, call)
}

export function disableTag(services: ChannelServices): Handler<typeof channelRoutes.disableTag> {
  return (call) => changeStatus(services, { tag: readTag(call.body.tag) }, CHANNEL_STATUS.disabled, call)
}

/**
 * For changes by an operator: the reasons of earlier automatic changes are removed, and enabling a channel
 * also enables its refused keys again.
 */
export function changeStatus(
  services: ChannelServices,
  which: Which,
  status: SwitchedStatus,
  who: ChangedBy,
): Promise<number> {
  return changeAll(services, which, { status, other_info: '' }, who)
}

/**
 * Empty models, groups and mapping mean "unchanged" (a mapping is cleared with `{}`). An empty new tag
 * removes the tag from its channels.
 */
export function updateTag(services: ChannelServices): Handler<typeof channelRoutes.updateTag> {
  return async (call) => {
    const { tag, new_tag: newTag, groups, models, model_mapping: mapping, priority, weight } = call.body
    const change = readFields(
      {
        ...(typeof newTag === 'string' && { tag: newTag }),
        ...(groups && { group: groups }),
        ...(models && { models }),
        ...(mapping && { model_mapping: mapping }),
        ...(typeof priority === 'number' && { priority }),
        ...(typeof weight === 'number' && { weight }),
      },
      ANY_TYPE,
    )
    const which = { tag: readTag(tag) }
    return Object.keys(change).length === 0 ? 0 : changeAll(services, which, change, call)
  }
}

/**
 * If the channels have different models, returns the longest list, which is most likely the one that the tag
 * is edited with.
 */
export function modelsOfTag({ store }: ChannelServices): Handler<typeof familyRoutes.modelsOfTag> {
  return async ({ query }) => {
    const lists = await modelListsOfTag(store, readTag(query.tag))
    const [longest = ''] = lists.toSorted((a, b) => splitList(b).length - splitList(a).length)
    return longest
  }
}

/** None of a tag's fields depends on the channel type, so any type will do. */
const ANY_TYPE = { type: 0 }

/** `null` removes the tag; an empty text is rejected because the name was probably forgotten. */
export function tagBatchOfChannels(services: ChannelServices): Handler<typeof channelRoutes.tagBatch> {
  return async (call) => {
    const { ids, tag } = call.body
    const change = readFields({ tag: typeof tag === 'string' ? readTag(tag) : null }, ANY_TYPE)
    return changeAll(services, { ids }, change, call)
  }
}

function readTag(text: string): string {
  const tag = text.trim()
  if (tag === '') throw problem('channel_tag_missing')
  return tag
}

function changeAll(
  services: ChannelServices,
  which: Which,
  change: ChannelChange,
  who: ChangedBy,
): Promise<number> {
  const entityId = 'tag' in which ? `tag:${which.tag}` : 'several'
  return services.change(who, {
    action: 'update',
    entity: 'channel',
    work: async (transaction) => {
      if (change.status === CHANNEL_STATUS.enabled)
        await restoreKeys(transaction, which, services.clock.nowMs())
      return updateChannels(transaction, which, change)
    },
    row: (changed) =>
      changed === 0 ? undefined : { entityId, before: which, after: auditable(change), notice: 'channels' },
  })
}

export function setStatusOfBatch(services: ChannelServices): Handler<typeof channelRoutes.statusBatch> {
  return (call) => changeStatus(services, { ids: [...new Set(call.body.ids)] }, call.body.status, call)
}
