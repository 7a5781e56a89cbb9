import { problem } from '@tollgate/kit/problem'
import type { Options } from '../services.ts'
import type { MailServices } from './services.ts'

export function requireMail({ options }: Pick<MailServices, 'options'>): void {
  if (!canSendMail(options)) throw problem('mail_not_configured')
}

/** The same refusal for every address, known or not, before anything else is asked. */
export async function requireWorkingMail(
  services: Pick<MailServices, 'options' | 'mailHealth'>,
): Promise<void> {
  requireMail(services)
  if (!(await services.mailHealth.isWorking())) throw problem('mail_unavailable')
}

export function canSendMail(options: Options): boolean {
  return options.get('SMTPServer') !== '' && sender(options) !== ''
}

/** The sender of every mail; "" while none is set. */
export function sender(options: Options): string {
  return options.get('SMTPFrom') || options.get('SMTPAccount')
}

/** Nobody's mailbox is filled through us, from however many addresses it is asked for. */
export async function countMail({ addressMails }: MailServices, email: string): Promise<void> {
  const decision = await addressMails.consume(email)
  if (decision.allowed) return
  throw problem('too_many_requests', { seconds: Math.max(1, Math.ceil(decision.retryAfterMs / 1000)) })
}

/** A code sent for one account binds the address to no other. */
export function bindingSubject(userId: number, email: string): string {
  return `${userId}:${email}`
}
