import type { channelRoutes } from '@tollgate/contract/channel'
import { problem } from '@tollgate/kit/problem'
import { type ChannelRow, findChannel } from '@tollgate/store/channels'
import type { Handler } from '../handler.ts'
import type { ChannelServices } from './services.ts'
import { toWireChannel } from './wire.ts'

export function getChannel({ store }: ChannelServices): Handler<typeof channelRoutes.get> {
  return async ({ params }) => toWireChannel(await storedChannel(store, params.id))
}

export async function storedChannel(store: ChannelServices['store'], id: number): Promise<ChannelRow> {
  const row = await findChannel(store, id)
  if (!row) throw problem('not_found')
  return row
}
