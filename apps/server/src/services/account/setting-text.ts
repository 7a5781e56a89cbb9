import type { Cipher } from '@tollgate/kit/cipher'
import { parseObject } from '@tollgate/kit/json'
import { z } from 'zod'

/**
 * Notification settings as they are stored: JSON in the user's row. Values from other versions that do not
 * fit fall back to defaults.
 */
const settingSchema = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  quota_warning_threshold: z.number().positive().optional().catch(undefined),
  webhook_url: z.string().catch(''),
  /** Encrypted; in clear only in a row that was imported from another gateway. */
  webhook_secret: z.string().catch(''),
  notification_email: z.string().catch(''),
  accept_unset_model_ratio_model: z.boolean().catch(false),
  /** Whether the user wants a notification when a task, for example a drawing or a song, ends. */
  notify_tasks: z.boolean().catch(false),
  /** Language of messages to the user: that of the console in which the settings were saved. */
  language: z.enum(['en', 'zh']).catch('zh'),
})
export type Setting = z.output<typeof settingSchema>

export function readSetting(text: string): Setting {
  return settingSchema.parse(parseObject(text) ?? {})
}

/**
 * The settings as their owner and administrators see them, without the secret. "" if nothing was ever saved.
 */
export function shownSetting(text: string): string {
  if (text === '') return ''
  const { webhook_secret: secret, ...shown } = readSetting(text)
  return JSON.stringify({ ...shown, has_webhook_secret: secret !== '' })
}

const SEALED = /^v1\./

export function encryptSecret(
  cipher: Cipher,
  { userId, secret }: { userId: number; secret: string },
): string {
  return cipher.encrypt(secret, sealContext(userId))
}

/** A secret imported from another gateway is stored in clear and returned as it is. */
export function openSecret(cipher: Cipher, { userId, secret }: { userId: number; secret: string }): string {
  return SEALED.test(secret) ? cipher.decrypt(secret, sealContext(userId)) : secret
}

function sealContext(userId: number): string {
  return `webhook:${userId}`
}
