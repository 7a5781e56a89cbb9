import type { Limiter } from '@tollgate/coordination/limits'
import type { MailHealth } from '../../mail/mail-health.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { SessionServices } from '../session/services.ts'
import type { OneTimeCodes } from './codes.ts'

export interface MailServices extends SessionServices {
  readonly mailer: Mailer
  readonly mailHealth: MailHealth
  readonly codes: OneTimeCodes
  /** Limits emails per recipient, regardless of who requests them. */
  readonly addressMails: Limiter
}

/** The services that decide about an email in the background. */
export type AccountMail = Pick<MailServices, 'store' | 'options' | 'codes' | 'outbox'>
