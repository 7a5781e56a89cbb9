import { mailRoutes } from '@tollgate/contract/mail'
import { type BoundRoute, bind } from '../handler.ts'
import { humansOnly } from '../human-check/human-check.ts'
import { bindEmail, unbindEmail } from './bind-email.ts'
import { requestCode } from './request-code.ts'
import { requestReset } from './request-reset.ts'
import { resetPassword } from './reset-password.ts'
import { sendTestMail } from './send-test.ts'
import type { MailServices } from './services.ts'

export function mailHandlers(services: MailServices): readonly BoundRoute[] {
  return [
    bind(mailRoutes.sendCode, humansOnly(services, 'verification', requestCode(services))),
    bind(mailRoutes.sendResetLink, humansOnly(services, 'reset', requestReset(services))),
    bind(mailRoutes.resetPassword, resetPassword(services)),
    bind(mailRoutes.bindEmail, bindEmail(services)),
    bind(mailRoutes.unbindEmail, unbindEmail(services)),
    bind(mailRoutes.sendTest, sendTestMail(services)),
  ]
}
