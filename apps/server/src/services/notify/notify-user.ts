import { emailSchema } from '@tollgate/contract/account-rules'
import type { Language } from '@tollgate/kit/problem'
import { findUser } from '@tollgate/store/users'
import type { QueuedMail } from '../../mail/deliver-mail.ts'
import { readSetting } from '../account/setting-text.ts'
import type { Outbox, Work } from '../outbox/outbox.ts'
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

export type NotifyPorts = Pick<Services, 'store' | 'clock'> & { readonly outbox: Outbox }

/** `nowhere`: the user has no address to be told at. `known`: this cause was told before. */
export type Notified = 'queued' | 'known' | 'nowhere'

/** Queues a message the way its user chose. */
export async function notifyUser(desk: NotifyPorts, notification: Notification): Promise<Notified> {
  const work = await workOf(desk, notification)
  if (!work) return 'nowhere'
  return (await desk.outbox.add(work)) ? 'queued' : 'known'
}

/** A message the way its user chose, to be queued; `undefined` when they have no address to be told at. */
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

/** What is queued of a webhook. Where it goes and how it is signed is read when it is sent. */
export interface QueuedWebhook {
  readonly userId: number
  readonly message: Message
  readonly timestamp: number
}

function noticeLetter({ title, content, values, link }: Message): QueuedMail['letter'] {
  return { type: 'notice', title, lines: fillIn(content, values).split('\n'), link }
}

function fillIn(content: string, values: readonly string[]): string {
  const rest = [...values]
  return content.replaceAll('{{value}}', () => rest.shift() ?? '')
}
