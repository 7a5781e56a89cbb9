import { emailSchema } from '@tollgate/contract/account-rules'
import type { Language } from '@tollgate/kit/problem'
import { findUser } from '@tollgate/store/users'
import type { QueuedMail } from '../../mail/deliver-mail.ts'
import { readSetting } from '../account/setting-text.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Services } from '../services.ts'

/** Something a person should know. `content` has `{{value}}` where the values stand, in their order. */
export interface Message {
  /** For example `quota_exceed`; receivers tell messages apart by it. */
  readonly type: string
  readonly title: string
  readonly content: string
  readonly values: readonly string[]
  /** "" when there is nowhere to go. */
  readonly link: string
}

export interface Notification {
  readonly userId: number
  /** One cause brings one message, however often it is reported. */
  readonly cause: string
  readonly message: (language: Language) => Message
}

export type NotifyDesk = Pick<Services, 'store' | 'clock'> & { readonly outbox: Outbox }

/** `nowhere`: the user has no address to be told at. `known`: this cause was told before. */
export type Notified = 'queued' | 'known' | 'nowhere'

/** Queues a message the way its user chose. */
export async function notifyUser(desk: NotifyDesk, notification: Notification): Promise<Notified> {
  const { userId, cause } = notification
  const user = await findUser(desk.store, userId)
  if (!user) return 'nowhere'
  const setting = readSetting(user.setting)
  const message = notification.message(setting.language)
  if (setting.notify_type === 'webhook') {
    const payload: QueuedWebhook = { userId, message, timestamp: Math.floor(desk.clock.nowMs() / 1000) }
    return queued(await desk.outbox.add({ cause, kind: 'webhook', payload }))
  }
  const to = emailSchema.safeParse(setting.notification_email || user.email)
  if (!to.success) return 'nowhere'
  const mail: QueuedMail = { to: to.data, language: setting.language, letter: noticeLetter(message) }
  return queued(await desk.outbox.add({ cause, kind: 'mail', payload: mail }))
}

/** What is queued of a webhook. Where it goes and how it is signed is read when it is sent. */
export interface QueuedWebhook {
  readonly userId: number
  readonly message: Message
  readonly timestamp: number
}

function queued(isNew: boolean): Notified {
  return isNew ? 'queued' : 'known'
}

function noticeLetter({ title, content, values, link }: Message): QueuedMail['letter'] {
  return { type: 'notice', title, lines: fillIn(content, values).split('\n'), link }
}

function fillIn(content: string, values: readonly string[]): string {
  const rest = [...values]
  return content.replaceAll('{{value}}', () => rest.shift() ?? '')
}
