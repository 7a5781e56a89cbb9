import { z } from 'zod'

/** A notification as the gateway posts it to the webhook of a user. */
export type WebhookMessage = z.output<typeof messageSchema>

const messageSchema = z.object({
  /** The same for every delivery of one message: a repeated one can be left out. */
  id: z.string(),
  type: z.string(),
  title: z.string(),
  content: z.string(),
  values: z.array(z.string()).optional(),
  /** Unix seconds. */
  timestamp: z.int(),
})

export interface WebhookRequest {
  /** The body exactly as it arrived; parsing and printing it again changes the signature. */
  readonly body: string
  /** The header `x-webhook-signature`. */
  readonly signature: string | null | undefined
  /** As entered in the console. */
  readonly secret: string
}

/**
 * The message of a webhook request; `undefined` if the signature is missing or wrong, or if the body is not
 * such a message. Never throws.
 */
export async function readWebhook({
  body,
  signature,
  secret,
}: WebhookRequest): Promise<WebhookMessage | undefined> {
  if (secret === '' || !(await isSigned(body, { signature: signature ?? '', secret }))) return undefined
  return messageSchema.safeParse(parsed(body)).data
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const
const HEX = /^[0-9a-f]{64}$/

/** `subtle.verify` compares in constant time. */
async function isSigned(body: string, proof: { signature: string; secret: string }): Promise<boolean> {
  if (!HEX.test(proof.signature)) return false
  const key = await crypto.subtle.importKey('raw', bytesOf(proof.secret), HMAC, false, ['verify'])
  const signature = Uint8Array.from(proof.signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', key, signature, bytesOf(body))
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
