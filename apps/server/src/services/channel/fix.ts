import type { channelRoutes } from '@tollgate/contract/channel'
import { countChannels } from '@tollgate/store/channels/channel-pages'
import type { Handler } from '../handler.ts'
import type { ChannelServices } from './services.ts'

/**
 * There is no second table that could contradict the channels; only a snapshot can be outdated, so this
 * reloads it.
 */
export function fixChannels({ store, notices }: ChannelServices): Handler<typeof channelRoutes.fix> {
  return async () => {
    await notices.publish('channels')
    return countChannels(store, {})
  }
}
