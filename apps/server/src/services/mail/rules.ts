import { problem } from '@tollgate/problems/problem'
import type { Options } from '../services.ts'
import type { MailServices } from './services.ts'
import { requireAllowed } from '../require-allowed.ts'

export function requireMail({ options }: Pick<MailServices, 'options'>): void {
  if (!canSendMail(options)) throw problem('mail_not_configured')
}

/** Checked before anything else, so that the error is the same for known and unknown addresses. */
export async function requireWorkingMail(
  services: Pick<MailServices, 'options' | 'mailHealth'>,
): Promise<void> {
  requireMail(services)
  if (!(await services.mailHealth.isWorking())) throw problem('mail_unavailable')
}

export function canSendMail(options: Options): boolean {
  return options.get('SMTPServer') !== '' && sender(options) !== ''
}

/** Sender address of every email; "" while none is set. */
export function sender(options: Options): string {
  return options.get('SMTPFrom') || options.get('SMTPAccount')
}

/** Limits the emails to one recipient, regardless of the address the requests come from. */
export async function countMail({ addressMails }: MailServices, email: string): Promise<void> {
  requireAllowed(await addressMails.consume(email))
}

/**
 * The subject includes the user id, so that a code sent for one account cannot bind the address to another.
 */
export function bindingSubject(userId: number, email: string): string {
  return `${userId}:${email}`
}
