import type { channelRoutes } from '@tollgate/contract/channel'
import { channelKeyContext } from '@tollgate/store/channels/channels'
import type { Handler } from '../handler.ts'
import { storedChannel } from './stored-channel.ts'
import type { ChannelServices } from './services.ts'

export function revealChannelKey(services: ChannelServices): Handler<typeof channelRoutes.reveal> {
  const { cipher, audit } = services
  return async (call) => {
    const { id } = call.params
    const row = await storedChannel(services, id)
    await audit(call, { action: 'reveal', entity: 'channel', entityId: id })
    return { id, key: cipher.decrypt(row.key_sealed, channelKeyContext(id)), ...row.secrets }
  }
}
