import { alertRoutes } from '@tollgate/contract/alert'
import { listOpenAlerts } from '@tollgate/store/operations/alerts'
import { randomToken } from '@tollgate/kit/ids'
import { type BoundRoute, type Handler, bind } from '../handler.ts'
import type { Services } from '../services.ts'
import { type SendParts, receiversOf, sendAlert } from './send.ts'
import { TEST_WORDS } from './words.ts'

export interface AlertServices extends Services, SendParts {}

export function alertHandlers(services: AlertServices): readonly BoundRoute[] {
  return [bind(alertRoutes.list, listAlerts(services)), bind(alertRoutes.test, testReceivers(services))]
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

/** Sent at once, not through the outbox, so that the person who edits the settings sees each answer. */
function testReceivers(services: AlertServices): Handler<typeof alertRoutes.test> {
  const { options, clock } = services
  return async () => {
    const message = {
      id: `alert:test:${randomToken(8)}`,
      rule: 'test',
      subject: '',
      state: 'test',
      site: options.get('SystemName'),
      text: TEST_WORDS[options.get('AlertLanguage')],
      timestamp: Math.floor(clock.nowMs() / 1000),
    } as const
    return Promise.all(
      receiversOf(services).map(async (receiver) => {
        const delivery = await sendAlert(services, receiver, message)
        return {
          receiver,
          is_ok: delivery.type === 'done',
          reason: delivery.type === 'done' ? '' : delivery.reason,
        }
      }),
    )
  }
}
