import type { channelRoutes } from '@tollgate/contract/channel'
import type { Handler } from '../handler.ts'
import type { ChannelServices } from './services.ts'
import { changeStatus } from './tags.ts'

export function setStatusOfBatch(services: ChannelServices): Handler<typeof channelRoutes.statusBatch> {
  return (call) => changeStatus(services, { ids: [...new Set(call.body.ids)] }, call.body.status, call)
}
