import type { Cipher } from '@tollgate/kit/cipher'
import { z } from 'zod'

/** Notification settings as stored: JSON text in the user's row. What another version wrote there is passed over. */
const settingSchema = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  quota_warning_threshold: z.number().positive().optional().catch(undefined),
  webhook_url: z.string().catch(''),
  /** Sealed; clear in a row that came from another system. */
  webhook_secret: z.string().catch(''),
  notification_email: z.string().catch(''),
  accept_unset_model_ratio_model: z.boolean().catch(false),
  /** To be told how drawings and songs ended. */
  notify_tasks: z.boolean().catch(false),
  /** Of the console it was saved from: the language of messages. */
  language: z.enum(['en', 'zh']).catch('zh'),
})
export type Setting = z.output<typeof settingSchema>

export function readSetting(text: string): Setting {
  return settingSchema.parse(objectIn(text))
}

/** As its owner and administrators see it: the secret stays here. "" while nothing was ever saved. */
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

/** Clear text that came from another system is taken as it is. */
export function openSecret(cipher: Cipher, { userId, secret }: { userId: number; secret: string }): string {
  return SEALED.test(secret) ? cipher.decrypt(secret, sealContext(userId)) : secret
}

function sealContext(userId: number): string {
  return `webhook:${userId}`
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    // Says as much as an empty text.
    return {}
  }
}
