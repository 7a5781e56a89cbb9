import type { channelRoutes } from '@tollgate/contract/channel'
import type { Handler } from '../handler.ts'
import type { ChannelServices } from './services.ts'
import { storedChannel } from './stored-channel.ts'
import { toWireChannel } from './wire.ts'

export function getChannel(services: ChannelServices): Handler<typeof channelRoutes.get> {
  return async ({ params }) => toWireChannel(await storedChannel(services, params.id))
}
