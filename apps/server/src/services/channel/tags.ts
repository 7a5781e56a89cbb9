import { CHANNEL_STATUS, type channelRoutes } from '@tollgate/contract/channel'
import type { familyRoutes } from '@tollgate/contract/family'
import { problem } from '@tollgate/kit/problem'
import { restoreKeys } from '@tollgate/store/channel-keys'
import { type ChannelChange, modelListsOfTag, updateChannels } from '@tollgate/store/channels'
import { splitList } from '../comma-list.ts'
import type { Call, Handler } from '../handler.ts'
import { readFields } from './fields.ts'
import type { ChannelServices } from './services.ts'
import { auditable } from './wire.ts'

type Which = Parameters<typeof updateChannels>[1]
type Who = Pick<Call<typeof channelRoutes.fix>, 'actor' | 'address'>

export function enableTag(services: ChannelServices): Handler<typeof channelRoutes.enableTag> {
  return (call) => changeStatus(services, { tag: readTag(call.body.tag) }, CHANNEL_STATUS.enabled, call)
}

export function disableTag(services: ChannelServices): Handler<typeof channelRoutes.disableTag> {
  return (call) => changeStatus(services, { tag: readTag(call.body.tag) }, CHANNEL_STATUS.disabled, call)
}

/** By hand: reasons of earlier automatic changes are forgotten, and enabling brings refused keys back too. */
export async function changeStatus(
  services: ChannelServices,
  which: Which,
  status: 1 | 2,
  who: Who,
): Promise<number> {
  if (status === CHANNEL_STATUS.enabled) await restoreKeys(services.store, which, services.clock.nowMs())
  return changeAll(services, which, { status, other_info: '' }, who)
}

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

/** Of channels with different models the longest list, which is most likely the one that a tag is edited with. */
export function modelsOfTag({ store }: ChannelServices): Handler<typeof familyRoutes.modelsOfTag> {
  return async ({ query }) => {
    const lists = await modelListsOfTag(store, readTag(query.tag))
    const [longest = ''] = lists.toSorted((a, b) => splitList(b).length - splitList(a).length)
    return longest
  }
}

/** No field of a tag depends on the type. */
const ANY_TYPE = { type: 0 }

/** `null` takes their tag away; an empty text is a name that was forgotten. */
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
