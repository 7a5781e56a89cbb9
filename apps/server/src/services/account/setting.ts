import {
  NOTIFY_THRESHOLD_MAX,
  WEBHOOK_SECRET_CHARACTERS_MAX,
  WEBHOOK_URL_CHARACTERS_MAX,
  type accountRoutes,
} from '@tollgate/contract/account'
import { USER_ROLE } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { findUser } from '@tollgate/store/accounts/users'
import { setSetting } from '@tollgate/store/accounts/user-changes'
import { type Actor, Answer, type Call, type Handler } from '../handler.ts'
import { readEmail } from '../read-email.ts'
import type { AccountServices } from './services.ts'
import { type Setting, encryptSecret, readSetting } from './setting-text.ts'

type Update = typeof accountRoutes.updateSetting
type Body = Call<Update>['body']

/**
 * Validates the settings of the chosen delivery method (email or webhook) and keeps those of the other one
 * unchanged.
 */
export function updateSetting(services: AccountServices): Handler<Update> {
  const { store, notices } = services
  return async ({ actor, body, language }) => {
    const user = await findUser(store, actor.id)
    if (!user) throw problem('not_found')
    const before = readSetting(user.setting)
    const setting: Setting = {
      ...before,
      ...(body.notify_type === 'webhook' ? webhookPart(services, { actor, body, before }) : emailPart(body)),
      quota_warning_threshold: readThreshold(body.quota_warning_threshold),
      accept_unset_model_ratio_model: body.accept_unset_model_ratio_model,
      notify_tasks: body.notify_tasks,
      language,
    }
    await setSetting(store, { id: actor.id, setting: JSON.stringify(setting) })
    await notices.publish('users', actor.id)
    return new Answer({ data: null, message: language === 'zh' ? '设置已更新' : 'Settings updated' })
  }
}

function readThreshold(value: number): number {
  const units = Math.floor(value)
  if (units >= 1 && units <= NOTIFY_THRESHOLD_MAX) return units
  throw problem('notify_threshold_invalid', { max: NOTIFY_THRESHOLD_MAX })
}

function emailPart({ notify_type, notification_email: address }: Body): Partial<Setting> {
  if (notify_type !== 'email') throw problem('notify_type_invalid')
  return { notify_type: 'email', notification_email: address.trim() === '' ? '' : readEmail(address) }
}

function webhookPart(
  services: AccountServices,
  { actor, body, before }: { actor: Actor; body: Body; before: Setting },
): Partial<Setting> {
  const { cipher } = services
  const url = readWebhookUrl(body.webhook_url, (asked) => mayBePlain(services, actor, asked))
  const secret = body.webhook_secret.trim()
  if (secret.length > WEBHOOK_SECRET_CHARACTERS_MAX || /[^\x21-\x7e]/.test(secret))
    throw problem('webhook_secret_invalid', { max: WEBHOOK_SECRET_CHARACTERS_MAX })
  // The secret belongs to its receiver: a new webhook URL does not inherit it.
  const kept = url === before.webhook_url ? before.webhook_secret : ''
  return {
    notify_type: 'webhook',
    webhook_url: url,
    webhook_secret: secret === '' ? kept : encryptSecret(cipher, { userId: actor.id, secret }),
  }
}

const HTTP_PORT = 80

/**
 * The super admin may use a plain HTTP webhook at a destination in EGRESS_ALLOW, because that is the
 * operator's own network.
 */
function mayBePlain({ listedDestinations }: AccountServices, { role }: Actor, url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return role === USER_ROLE.root && listedDestinations.lists(host, Number(url.port) || HTTP_PORT)
}

function readWebhookUrl(text: string, mayBePlain: (url: URL) => boolean): string {
  if (text.trim() === '') throw problem('webhook_url_missing')
  const url = URL.parse(text.trim())
  const isUsable =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && mayBePlain(url))) &&
    url.username === '' &&
    url.password === '' &&
    url.hostname !== ''
  if (!isUsable || url.href.length > WEBHOOK_URL_CHARACTERS_MAX) throw problem('webhook_url_invalid')
  url.hash = ''
  return url.href
}
