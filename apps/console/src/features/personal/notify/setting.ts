import { WEBHOOK_URL_CHARACTERS_MAX } from '@tollgate/contract/account'
import { parseObject } from '@tollgate/kit/json'
import * as z from 'zod/mini'

/** Amounts of quota units offered for selection with one click. */
export const THRESHOLD_PICKS = [100_000, 500_000, 1_000_000, 5_000_000] as const

const settingSchema = z.object({
  notify_type: z.catch(z.enum(['email', 'webhook']), 'email'),
  quota_warning_threshold: z.catch(z.optional(z.number().check(z.positive())), undefined),
  webhook_url: z.catch(z.string(), ''),
  notification_email: z.catch(z.string(), ''),
  accept_unset_model_ratio_model: z.catch(z.boolean(), false),
  notify_tasks: z.catch(z.boolean(), false),
  has_webhook_secret: z.catch(z.boolean(), false),
})

export type NotifyForm = Omit<
  z.output<typeof settingSchema>,
  'has_webhook_secret' | 'quota_warning_threshold'
> & {
  readonly quota_warning_threshold: number
  /** "" keeps the stored secret. */
  readonly webhook_secret: string
}

/**
 * Reads the account's `setting` for the form. Members that are invalid or from another version are ignored.
 * An account without a threshold of its own uses that of the site.
 */
export function formOf(
  setting: string,
  siteThreshold: number,
): { readonly form: NotifyForm; readonly hasSecret: boolean } {
  const stored = settingSchema.parse(parseObject(setting) ?? {})
  const { has_webhook_secret: hasSecret, quota_warning_threshold = siteThreshold, ...form } = stored
  return { form: { ...form, quota_warning_threshold, webhook_secret: '' }, hasSecret }
}

/**
 * Applies the server's rules for webhook URLs. Only the server knows to which hosts the super admin may
 * connect without TLS, so every such host is accepted here.
 */
export function isWebhookUrl(text: string, { isSuperAdmin }: { readonly isSuperAdmin: boolean }): boolean {
  const url = URL.parse(text.trim())
  if (url === null || url.username !== '' || url.href.length > WEBHOOK_URL_CHARACTERS_MAX) return false
  return url.protocol === 'https:' || (isSuperAdmin && url.protocol === 'http:')
}
