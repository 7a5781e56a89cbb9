import type { channelRoutes } from '@tollgate/contract/channel'
import { channelKeyContext } from '@tollgate/store/channels/channels'
import type { Handler } from '../handler.ts'
import { storedChannel } from './stored-channel.ts'
import type { ChannelServices } from './services.ts'

export function revealChannelKey(services: ChannelServices): Handler<typeof channelRoutes.reveal> {
  const { cipher, audit } = services
  return async ({ actor, params: { id }, address }) => {
    const row = await storedChannel(services, id)
    await audit.write({ actorId: actor.id, action: 'reveal', entity: 'channel', entityId: id, address })
    return { id, key: cipher.decrypt(row.key_sealed, channelKeyContext(id)), ...row.secrets }
  }
}
