import type { Limiter } from '@tollgate/coordination/limits'
import type { MailHealth } from '../../mail/mail-health.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { SessionServices } from '../session/services.ts'
import type { OneTimeCodes } from './codes.ts'

export interface MailServices extends SessionServices {
  readonly mailer: Mailer
  readonly mailHealth: MailHealth
  readonly codes: OneTimeCodes
  /** Mails to one address, whoever asks for them. */
  readonly addressMails: Limiter
}

/** What deciding about a mail needs, when nobody waits for it any more. */
export type AccountMail = Pick<MailServices, 'store' | 'options' | 'codes' | 'outbox'>
