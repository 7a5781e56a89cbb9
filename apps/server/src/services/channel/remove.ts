import type { channelRoutes } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { listDisabledChannels, removeChannels } from '@tollgate/store/channels/channels'
import type { ChangedBy } from '../change.ts'
import type { Handler } from '../handler.ts'
import type { ChannelServices } from './services.ts'

/** An upstream that failed a moment ago may recover soon, so its channel is not removed yet. */
const RECENTLY_DISABLED_MS = 3_600_000

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

function removeAll(services: ChannelServices, ids: readonly number[], who: ChangedBy): Promise<number> {
  const entityId = ids.length === 1 ? String(ids[0]) : 'several'
  return services.change(who, {
    action: 'remove',
    entity: 'channel',
    work: (transaction) => removeChannels(transaction, ids),
    row: (removed) => (removed === 0 ? undefined : { entityId, before: { ids }, notice: 'channels' }),
  })
}

/** Returns 0 when the time is unknown. */
function disabledSeconds(otherInfo: string): number {
  const [, seconds = '0'] = /"status_time"\s*:\s*(\d{1,15})/.exec(otherInfo) ?? []
  return Number(seconds)
}
