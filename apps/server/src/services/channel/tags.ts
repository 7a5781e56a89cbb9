import { CHANNEL_STATUS, type channelRoutes } from '@tollgate/contract/channel'
import { problem } from '@tollgate/kit/problem'
import { type ChannelChange, updateChannels } from '@tollgate/store/channels'
import type { Call, Handler } from '../handler.ts'
import { readFields } from './fields.ts'
import type { ChannelServices } from './services.ts'
import { auditable } from './wire.ts'

type Which = Parameters<typeof updateChannels>[1]
type Who = Pick<Call<typeof channelRoutes.fix>, 'actor' | 'address'>

export function enableTag(services: ChannelServices): Handler<typeof channelRoutes.enableTag> {
  return (call) => changeAll(services, { tag: readTag(call.body.tag) }, { ...enabled, other_info: '' }, call)
}

export function disableTag(services: ChannelServices): Handler<typeof channelRoutes.disableTag> {
  return (call) => changeAll(services, { tag: readTag(call.body.tag) }, { ...disabled, other_info: '' }, call)
}

const enabled = { status: CHANNEL_STATUS.enabled }
const disabled = { status: CHANNEL_STATUS.disabled }

/** Empty models, groups and mapping leave them alone (a mapping is cleared with `{}`); an empty new tag dissolves. */
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

/** No field of a tag depends on the type. */
const ANY_TYPE = 0

export function tagBatchOfChannels(services: ChannelServices): Handler<typeof channelRoutes.tagBatch> {
  return (call) =>
    changeAll(services, { ids: call.body.ids }, readFields({ tag: call.body.tag ?? null }, ANY_TYPE), call)
}

function readTag(text: string): string {
  const tag = text.trim()
  if (tag === '') throw problem('channel_tag_missing')
  return tag
}

async function changeAll(
  { store, notices, audit }: ChannelServices,
  which: Which,
  change: ChannelChange,
  who: Who,
): Promise<number> {
  const changed = await updateChannels(store, which, change)
  if (changed === 0) return 0
  await audit.write({
    actorId: who.actor.id,
    action: 'update',
    entity: 'channel',
    entityId: 'tag' in which ? `tag:${which.tag}` : 'several',
    before: which,
    after: auditable(change),
    address: who.address,
  })
  await notices.publish('channels')
  return changed
}
