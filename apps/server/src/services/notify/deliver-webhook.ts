import { createHmac } from 'node:crypto'
import type { Egress, ExchangeRequest } from '@tollgate/egress/egress'
import { Problem } from '@tollgate/problems/problem'
import type { Cipher } from '@tollgate/kit/cipher'
import { findUser } from '@tollgate/store/accounts/users'
import { z } from 'zod'
import type { Deliverer, Delivery } from '../../jobs/outbox-worker.ts'
import { openSecret, readSetting } from '../account/setting-text.ts'
import type { Services } from '../services.ts'
import type { QueuedWebhook } from './notify-user.ts'

export interface WebhookParts extends Pick<Services, 'store' | 'options'> {
  readonly cipher: Cipher
  readonly egress: Pick<Egress, 'exchange'>
}

const TIMEOUT_MS = 5000
const BYTES_MAX = 64 * 1024

const queuedSchema = z.object({
  userId: z.int(),
  message: z.object({
    type: z.string(),
    title: z.string(),
    content: z.string(),
    values: z.array(z.string()),
    link: z.string(),
  }),
  timestamp: z.int(),
}) satisfies z.ZodType<QueuedWebhook>

/**
 * Posts a queued message to the webhook that the user has now, signed with the user's secret. A repeated
 * message has the same id, so an attempt with an unknown outcome is repeated.
 */
export function webhookDeliverer(parts: WebhookParts): Deliverer {
  return {
    isRepeatable: true,
    deliver: async ({ cause, payload }) => {
      const queued = queuedSchema.parse(payload)
      const request = await requestFor(parts, queued, cause)
      return request ? post(parts, request) : { type: 'failed', reason: 'the user has no webhook any more' }
    },
  }
}

async function requestFor(
  { store, cipher }: WebhookParts,
  { userId, message, timestamp }: QueuedWebhook,
  id: string,
): Promise<Posting | undefined> {
  const user = await findUser(store, userId)
  const setting = readSetting(user?.setting ?? '')
  if (setting.notify_type !== 'webhook' || setting.webhook_url === '') return undefined
  const { type, title, content, values } = message
  const body = { id, type, title, content, ...(values.length > 0 && { values }), timestamp }
  const text = JSON.stringify(body)
  const secret = openSecret(cipher, { userId, secret: setting.webhook_secret })
  const headers = { 'content-type': 'application/json', 'x-webhook-id': id, ...signature(secret, text) }
  return { url: setting.webhook_url, headers, body, text }
}

interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  readonly text: string
}

/** Receivers written for new-api check either the signature or the bearer token, so both are sent. */
function signature(secret: string, text: string): Record<string, string> {
  if (secret === '') return {}
  return {
    'x-webhook-signature': createHmac('sha256', secret).update(text).digest('hex'),
    authorization: `Bearer ${secret}`,
  }
}

async function post({ egress, options }: WebhookParts, posting: Posting): Promise<Delivery> {
  try {
    const { status } = await egress.exchange(throughWorker(options, posting) ?? directly(posting))
    if (status >= 200 && status < 300) return { type: 'done' }
    return { type: 'again', reason: `the receiver answered ${status}` }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { type: 'again', reason: error.textIn('en') }
  }
}

function directly({ url, headers, text: body }: Posting): ExchangeRequest {
  return { method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX }
}

/** Sends the request through the operator's proxy worker (`WorkerUrl`), if one is configured. */
function throughWorker(
  options: Services['options'],
  { url, headers, body }: Posting,
): ExchangeRequest | undefined {
  const worker = options.get('WorkerUrl')
  if (worker === '') return undefined
  return {
    method: 'POST',
    url: `${worker}/`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, key: options.get('WorkerValidKey'), method: 'POST', headers, body }),
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
  }
}
