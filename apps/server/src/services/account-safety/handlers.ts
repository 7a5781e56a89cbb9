import { accountSafetyRoutes } from '@tollgate/contract/account-safety'
import { type BoundRoute, bind } from '../handler.ts'
import type { MailServices } from '../mail/services.ts'
import { dismissNotices, listNotices } from './notices.ts'
import { undoEmail } from './undo-email.ts'

export function accountSafetyHandlers(services: MailServices): readonly BoundRoute[] {
  return [
    bind(accountSafetyRoutes.notices, listNotices(services)),
    bind(accountSafetyRoutes.dismiss, dismissNotices(services)),
    bind(accountSafetyRoutes.undoEmail, undoEmail(services)),
  ]
}
