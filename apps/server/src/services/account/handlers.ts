import { accountRoutes } from '@tollgate/contract/account'
import { listAccountEntries } from '../entries/list.ts'
import { type BoundRoute, bind } from '../handler.ts'
import { removeAccessToken } from './access-token.ts'
import { getAffCode, transferEarnings } from './affiliate.ts'
import { checkIn, getCheckInCalendar, getCheckInStatus } from './check-in.ts'
import { proveAgain } from './prove.ts'
import { removeOwnAccount } from './remove.ts'
import type { AccountServices } from './services.ts'
import { endOwnSession, endOwnSessions, listOwnSessions } from './sessions.ts'
import { updateSetting } from './setting.ts'
import { sendTestNotification } from './test-notification.ts'

export function accountHandlers(services: AccountServices): readonly BoundRoute[] {
  return [
    bind(accountRoutes.remove, removeOwnAccount(services)),
    bind(accountRoutes.prove, proveAgain(services)),
    bind(accountRoutes.removeAccessToken, removeAccessToken(services)),
    bind(accountRoutes.affCode, getAffCode(services)),
    bind(accountRoutes.affTransfer, transferEarnings(services)),
    bind(accountRoutes.updateSetting, updateSetting(services)),
    bind(accountRoutes.testNotification, sendTestNotification(services)),
    bind(accountRoutes.checkInStatus, getCheckInStatus(services)),
    bind(accountRoutes.checkIn, checkIn(services)),
    bind(accountRoutes.checkInCalendar, getCheckInCalendar(services)),
    bind(accountRoutes.sessions, listOwnSessions(services)),
    bind(accountRoutes.endSession, endOwnSession(services)),
    bind(accountRoutes.endSessions, endOwnSessions(services)),
    bind(accountRoutes.entries, ({ actor, query }) =>
      listAccountEntries(services, { userId: actor.id, query, showsChannels: false }),
    ),
  ]
}
