import type { familyRoutes } from '@tollgate/contract/family'
import { copyChannel } from '../channel/create.ts'
import { CHANNEL_NAME_CHARACTERS_MAX } from '@tollgate/contract/channel-fields'
import type { ChannelServices } from '../channel/services.ts'
import { storedChannel } from '../channel/stored-channel.ts'
import type { Handler } from '../handler.ts'

/** The caller may choose the suffix that is appended to the name. */
export function copyWithSuffix(services: ChannelServices): Handler<typeof familyRoutes.copyChannel> {
  const copy = copyChannel(services)
  return async (call) => {
    const { suffix } = call.query
    if (!suffix) return copy({ ...call, query: {}, body: {} })
    const { name } = await storedChannel(services, call.params.id)
    const kept = name.slice(0, Math.max(0, CHANNEL_NAME_CHARACTERS_MAX - suffix.length))
    return copy({ ...call, query: {}, body: { name: kept + suffix } })
  }
}
