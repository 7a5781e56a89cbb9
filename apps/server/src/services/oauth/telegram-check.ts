import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** All fields that the widget sent, unchanged. */
export type TelegramFields = Readonly<Record<string, string>>

const FRESH_MS = 300_000
/** Tolerance for clock differences. */
const AHEAD_MS = 60_000
const DECIMAL = /^\d{1,16}$/
const HASH = /^[0-9a-f]{64}$/

/**
 * The maximum time for which a message is valid. Used messages are remembered at least that long, so that
 * none is accepted twice.
 */
export const TELEGRAM_LIFETIME_MS = FRESH_MS + AHEAD_MS

/**
 * Returns the user's id if Telegram signed the message for this bot recently. The signature is an
 * HMAC-SHA256, keyed with the SHA-256 of the bot token, over all fields except the hash, sorted, one per
 * line. https://core.telegram.org/widgets/login#checking-authorization
 */
export function telegramId(
  fields: TelegramFields,
  { botToken, nowMs }: { botToken: string; nowMs: number },
): string | undefined {
  const { id = '', auth_date = '', hash = '' } = fields
  if (!HASH.test(hash) || !DECIMAL.test(id) || !DECIMAL.test(auth_date)) return undefined
  if (!timingSafeEqual(Buffer.from(hash, 'hex'), signatureOf(fields, botToken))) return undefined
  const ageMs = nowMs - Number(auth_date) * 1000
  return ageMs <= FRESH_MS && ageMs >= -AHEAD_MS ? id : undefined
}

function signatureOf(fields: TelegramFields, botToken: string): Buffer {
  const text = Object.entries(fields)
    .filter(([name]) => name !== 'hash')
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('\n')
  const key = createHash('sha256').update(botToken).digest()
  return createHmac('sha256', key).update(text).digest()
}
