import { CHANNEL_STATUS, type channelRoutes } from '@tollgate/contract/channel'
import { problem } from '@tollgate/kit/problem'
import { listDisabledChannels, removeChannels } from '@tollgate/store/channels/channels'
import type { Call, Handler } from '../handler.ts'
import type { ChannelServices } from './services.ts'

/** An upstream that failed a moment ago may recover soon, so its channel is not removed yet. */
const RECENTLY_DISABLED_MS = 3_600_000

type Who = Pick<Call<typeof channelRoutes.remove>, 'actor' | 'address'>

export function removeChannel(services: ChannelServices): Handler<typeof channelRoutes.remove> {
  return async (call) => {
    if ((await removeAll(services, [call.params.id], call)) === 0) throw problem('not_found')
    return null
  }
}

export function removeBatchOfChannels(services: ChannelServices): Handler<typeof channelRoutes.removeBatch> {
  return (call) => removeAll(services, [...new Set(call.body.ids)], call)
}

export function removeDisabledChannels(
  services: ChannelServices,
): Handler<typeof channelRoutes.removeDisabled> {
  return async (call) => {
    const before = services.clock.nowMs() - RECENTLY_DISABLED_MS
    const disabled = await listDisabledChannels(services.store)
    const settled = disabled.filter(
      ({ status, other_info: info }) =>
        status === CHANNEL_STATUS.disabled || disabledSeconds(info) * 1000 <= before,
    )
    return removeAll(
      services,
      settled.map(({ id }) => id),
      call,
    )
  }
}

async function removeAll(services: ChannelServices, ids: readonly number[], who: Who): Promise<number> {
  const { store, notices, audit } = services
  const removed = await removeChannels(store, ids)
  if (removed === 0) return 0
  await audit.write({
    actorId: who.actor.id,
    action: 'remove',
    entity: 'channel',
    entityId: ids.length === 1 ? String(ids[0]) : 'several',
    before: { ids },
    address: who.address,
  })
  await notices.publish('channels')
  return removed
}

/** Returns 0 when the time is unknown. */
function disabledSeconds(otherInfo: string): number {
  const [, seconds = '0'] = /"status_time"\s*:\s*(\d{1,15})/.exec(otherInfo) ?? []
  return Number(seconds)
}
