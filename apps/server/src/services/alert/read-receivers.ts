import type { Receiver, alertRoutes } from '@tollgate/contract/alert'
import { type StoredReceiver, receiverForms } from '@tollgate/contract/alert-receivers'
import { randomToken } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import type { Handler } from '../handler.ts'
import { type SendParts, isReady, sendAlert } from './send.ts'
import { TEST_WORDS } from './words.ts'

export function listReceivers({
  options,
}: Pick<SendParts, 'options'>): Handler<typeof alertRoutes.receivers> {
  return () => Promise.resolve(options.get('AlertReceivers').map((one) => wireReceiver(options, one)))
}

/** Without secrets, which are only named. */
export function wireReceiver(options: SendParts['options'], receiver: StoredReceiver): Receiver {
  const { id, name, kind, fields } = receiver
  const isSecret = (field: string): boolean => receiverForms[kind].fields[field]?.isSecret ?? true
  const entries = Object.entries(fields).filter(([, value]) => value !== '')
  return {
    id,
    name,
    kind,
    fields: Object.fromEntries(entries.filter(([field]) => !isSecret(field))),
    secrets: entries.map(([field]) => field).filter(isSecret),
    is_ready: isReady(options, receiver),
  }
}

/** Sent at once, not through the outbox, so that the person who edits the receiver sees its answer. */
export function testReceiver(parts: SendParts): Handler<typeof alertRoutes.testReceiver> {
  const { options, clock } = parts
  return async ({ params }) => {
    const receiver = options.get('AlertReceivers').find(({ id }) => id === params.id)
    if (receiver === undefined) throw problem('alert_receiver_unknown')
    const delivery = await sendAlert(parts, receiver, {
      id: `alert:test:${randomToken(8)}`,
      rule: 'test',
      subject: '',
      state: 'test',
      site: options.get('SystemName'),
      text: TEST_WORDS[options.get('AlertLanguage')],
      timestamp: Math.floor(clock.nowMs() / 1000),
    })
    return delivery.type === 'done' ? { is_ok: true, reason: '' } : { is_ok: false, reason: delivery.reason }
  }
}
