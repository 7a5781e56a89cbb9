import { emailSchema } from '@tollgate/contract/account-rules'
import type { Language } from '@tollgate/problems/problem'
import { findUser } from '@tollgate/store/accounts/users'
import type { QueuedMail } from '../../mail/deliver-mail.ts'
import { readSetting } from '../account/setting-text.ts'
import type { Outbox, Work } from '../outbox/outbox.ts'
import type { Services } from '../services.ts'

/** A message to a person. `content` has `{{value}}` placeholders for the values in order. */
export interface UserNotice {
  /** For example `quota_exceed`; receivers distinguish messages by it. */
  readonly type: string
  readonly title: string
  readonly content: string
  readonly values: readonly string[]
  /** "" when the message has no link. */
  readonly link: string
}

export interface Notification {
  readonly userId: number
  /** One cause produces one message, however often it is reported. */
  readonly cause: string
  readonly message: (language: Language) => UserNotice
}

export type NotifyPorts = Pick<Services, 'store' | 'clock'> & { readonly outbox: Outbox }

/**
 * `nowhere`: the user has no address for notifications. `known`: a message for this cause was queued before.
 */
export type Notified = 'queued' | 'known' | 'nowhere'

/** Queues a message for the delivery method that the user chose. */
export async function notifyUser(desk: NotifyPorts, notification: Notification): Promise<Notified> {
  const work = await workOf(desk, notification)
  if (!work) return 'nowhere'
  return (await desk.outbox.add(work)) ? 'queued' : 'known'
}

/**
 * Returns the work to be queued for the delivery method that the user chose; `undefined` when the user has no
 * address for notifications.
 */
export async function workOf(desk: NotifyPorts, notification: Notification): Promise<Work | undefined> {
  const { userId, cause } = notification
  const user = await findUser(desk.store, userId)
  if (!user) return undefined
  const setting = readSetting(user.setting)
  const message = notification.message(setting.language)
  if (setting.notify_type === 'webhook') {
    const payload: QueuedWebhook = { userId, message, timestamp: Math.floor(desk.clock.nowMs() / 1000) }
    return { cause, kind: 'webhook', payload }
  }
  const to = emailSchema.safeParse(setting.notification_email || user.email)
  if (!to.success) return undefined
  const payload: QueuedMail = { to: to.data, language: setting.language, letter: noticeLetter(message) }
  return { cause, kind: 'mail', payload }
}

/** The queued form of a webhook message. Its URL and secret are read when it is sent. */
export interface QueuedWebhook {
  readonly userId: number
  readonly message: UserNotice
  readonly timestamp: number
}

function noticeLetter({ title, content, values, link }: UserNotice): QueuedMail['letter'] {
  return { type: 'notice', title, lines: fillIn(content, values).split('\n'), link }
}

function fillIn(content: string, values: readonly string[]): string {
  const rest = [...values]
  return content.replaceAll('{{value}}', () => rest.shift() ?? '')
}
