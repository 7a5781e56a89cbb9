import { type StoredReceiver, faultyField } from '@tollgate/contract/alert-receivers'
import type { Egress } from '@tollgate/egress/egress'
import { Problem } from '@tollgate/problems/problem'
import { z } from 'zod'
import type { Deliverer, Delivery } from '../../jobs/outbox-worker.ts'
import { MailFailure } from '../../mail/failure.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { writeEmail } from '../../mail/templates.ts'
import { canSendMail } from '../mail/rules.ts'
import type { Services } from '../services.ts'
import { type AlertMessage, refusalIn, writers } from './receivers.ts'

export interface SendParts extends Pick<Services, 'clock' | 'options'> {
  readonly egress: Pick<Egress, 'exchange'>
  readonly mailer: Pick<Mailer, 'send'>
}

const TIMEOUT_MS = 10_000
const BYTES_MAX = 64 * 1024

const queuedSchema = z.object({
  /** The id of a receiver. */
  receiver: z.string(),
  message: z.object({
    id: z.string(),
    rule: z.string(),
    subject: z.string(),
    state: z.enum(['open', 'over', 'test']),
    site: z.string(),
    text: z.string(),
    timestamp: z.number(),
  }),
}) satisfies z.ZodType<{ receiver: string; message: AlertMessage }>

/** The receivers to which an alert can be sent now. */
export function receiversOf({ options }: Pick<SendParts, 'options'>): readonly StoredReceiver[] {
  return options.get('AlertReceivers').filter((receiver) => isReady(options, receiver))
}

/** Whether nothing is missing: a field, or the mail server. */
export function isReady(options: SendParts['options'], { kind, fields }: StoredReceiver): boolean {
  return faultyField(kind, fields) === undefined && (kind !== 'mail' || canSendMail(options))
}

/** The address and secrets are those of the receiver when the message is sent; the queue has none. */
export function alertDeliverer(parts: SendParts): Deliverer {
  return {
    isRepeatable: true,
    deliver: ({ payload }) => {
      const { receiver: id, message } = queuedSchema.parse(payload)
      const receiver = parts.options.get('AlertReceivers').find((one) => one.id === id)
      if (receiver === undefined)
        return Promise.resolve({ type: 'failed', reason: 'the receiver was removed' })
      return sendAlert(parts, receiver, message)
    },
  }
}

export async function sendAlert(
  parts: SendParts,
  { kind, fields }: StoredReceiver,
  message: AlertMessage,
): Promise<Delivery> {
  if (kind === 'mail') return sendMail(parts, fields['to'] ?? '', message)
  const { egress, clock } = parts
  const posting = writers[kind](fields, message, clock.nowMs())
  if (posting === undefined) return { type: 'failed', reason: 'a field of the receiver is missing' }
  try {
    const answer = await egress.exchange({
      method: 'POST',
      ...posting,
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
    })
    if (answer.status < 200 || answer.status >= 300)
      return { type: 'again', reason: `the receiver answered ${answer.status}` }
    const refusal = refusalIn(answer.body)
    return refusal === undefined
      ? { type: 'done' }
      : { type: 'again', reason: `the receiver refused: ${refusal}` }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { type: 'again', reason: failureOf(error) }
  }
}

/** The text for callers speaks of an upstream. */
function failureOf(error: Problem): string {
  return error.code === 'do_request_failed' ? 'the receiver cannot be reached' : error.textIn('en')
}

async function sendMail(
  { options, mailer }: SendParts,
  to: string,
  message: AlertMessage,
): Promise<Delivery> {
  const { site, text, id } = message
  const letter = writeEmail(
    { type: 'notice', title: text, lines: [text], link: options.get('ServerAddress') },
    { siteName: site, language: options.get('AlertLanguage') },
  )
  try {
    await mailer.send({ to, cause: id, letter })
    return { type: 'done' }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { type: error.next, reason: error.message }
  }
}
