import { WEBHOOK_URL_CHARACTERS_MAX } from '@tollgate/contract/account'
import { z } from 'zod'

/** Nothing saved yet: what the form starts with. */
export const THRESHOLD_DEFAULT = 500_000
/** Quota units to choose with one click. */
export const THRESHOLD_PICKS = [100_000, 500_000, 1_000_000, 5_000_000] as const

const settingSchema = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  quota_warning_threshold: z.number().positive().catch(THRESHOLD_DEFAULT),
  webhook_url: z.string().catch(''),
  notification_email: z.string().catch(''),
  accept_unset_model_ratio_model: z.boolean().catch(false),
  notify_tasks: z.boolean().catch(false),
  has_webhook_secret: z.boolean().catch(false),
})

export type NotifyForm = Omit<z.output<typeof settingSchema>, 'has_webhook_secret'> & {
  /** Empty keeps the stored one. */
  readonly webhook_secret: string
}

/** The account's `setting` as the form shows it; a text that is damaged or of another version counts as far as it goes. */
export function formOf(setting: string): { readonly form: NotifyForm; readonly hasSecret: boolean } {
  const { has_webhook_secret: hasSecret, ...form } = settingSchema.parse(objectIn(setting))
  return { form: { ...form, webhook_secret: '' }, hasSecret }
}

/** As the server judges it. */
export function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text.trim())
  return url?.protocol === 'https:' && url.username === '' && url.href.length <= WEBHOOK_URL_CHARACTERS_MAX
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
