import { alertRoutes } from '@tollgate/contract/alert'
import { listOpenAlerts } from '@tollgate/store/operations/alerts'
import { type BoundRoute, type Handler, bind } from '../handler.ts'
import type { Services } from '../services.ts'
import { changeReceivers } from './change-receivers.ts'
import { listReceivers, testReceiver } from './read-receivers.ts'
import type { SendParts } from './send.ts'

export interface AlertServices extends Services, SendParts {}

export function alertHandlers(services: AlertServices): readonly BoundRoute[] {
  const { create, update, remove } = changeReceivers(services)
  return [
    bind(alertRoutes.list, listAlerts(services)),
    bind(alertRoutes.receivers, listReceivers(services)),
    bind(alertRoutes.createReceiver, create),
    bind(alertRoutes.updateReceiver, update),
    bind(alertRoutes.removeReceiver, remove),
    bind(alertRoutes.testReceiver, testReceiver(services)),
  ]
}

export function listAlerts({ store }: Pick<Services, 'store'>): Handler<typeof alertRoutes.list> {
  return async () =>
    (await listOpenAlerts(store)).map(({ rule, subject, words, since_ms: sinceMs, is_sent: isSent }) => ({
      rule,
      subject,
      title: JSON.parse(words),
      since_time: Math.floor(sinceMs / 1000),
      is_sent: isSent === 1,
    }))
}
