import { ALERT_RECEIVERS, type AlertReceiver } from '@tollgate/contract/alert'
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
  receiver: z.enum(ALERT_RECEIVERS),
  message: z.object({
    id: z.string(),
    rule: z.string(),
    subject: z.string(),
    state: z.enum(['open', 'over', 'test']),
    site: z.string(),
    text: z.string(),
    timestamp: z.number(),
  }),
}) satisfies z.ZodType<{ receiver: AlertReceiver; message: AlertMessage }>

/** The receivers that are set now. */
export function receiversOf({
  options,
  clock,
}: Pick<SendParts, 'options' | 'clock'>): readonly AlertReceiver[] {
  const probe: AlertMessage = {
    id: '',
    rule: '',
    subject: '',
    state: 'test',
    site: '',
    text: '',
    timestamp: 0,
  }
  return ALERT_RECEIVERS.filter((name) =>
    name === 'mail'
      ? options.get('AlertMail') !== '' && canSendMail(options)
      : writers[name](options, probe, clock.nowMs()) !== undefined,
  )
}

/** The address and secrets are those of the settings when the message is sent; the queue has none. */
export function alertDeliverer(parts: SendParts): Deliverer {
  return {
    isRepeatable: true,
    deliver: ({ payload }) => {
      const { receiver, message } = queuedSchema.parse(payload)
      return sendAlert(parts, receiver, message)
    },
  }
}

export async function sendAlert(
  parts: SendParts,
  receiver: AlertReceiver,
  message: AlertMessage,
): Promise<Delivery> {
  if (receiver === 'mail') return sendMail(parts, message)
  const { options, egress, clock } = parts
  const posting = writers[receiver](options, message, clock.nowMs())
  if (posting === undefined) return { type: 'failed', reason: 'the receiver is not set any more' }
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
    return { type: 'again', reason: error.textIn('en') }
  }
}

async function sendMail({ options, mailer }: SendParts, message: AlertMessage): Promise<Delivery> {
  const { site, text, id } = message
  const letter = writeEmail(
    { type: 'notice', title: text, lines: [text], link: options.get('ServerAddress') },
    { siteName: site, language: options.get('AlertLanguage') },
  )
  try {
    await mailer.send({ to: options.get('AlertMail'), cause: id, letter })
    return { type: 'done' }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { type: error.next, reason: error.message }
  }
}
