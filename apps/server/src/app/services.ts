import { providers } from '@tollgate/providers/index'
import { createProbe } from '../relay/probe.ts'
import { openShownQuotas } from '../services/shown-quotas.ts'
import { auditTrail } from '../services/audit-trail.ts'
import { canSendMail } from '../services/mail/rules.ts'
import { Searches } from '../services/searches.ts'
import { openPasswordGuesses } from '../services/session/password-guesses.ts'
import { openPasswords } from '../services/session/passwords.ts'
import { version } from '../version.ts'
import { type PlaneParts, noticesOf } from './base.ts'
import { openDoors } from './doors.ts'
import type { AllServices } from './handlers.ts'

/** What the handlers of the admin plane work with. */
export function servicesOf(parts: PlaneParts): AllServices {
  const {
    store,
    logs,
    ledger,
    clock,
    seal,
    egress,
    limits,
    networks,
    setupToken,
    config,
    book,
    books,
    state,
  } = parts
  return {
    store: store.db,
    logs,
    ledger,
    clock,
    seal,
    egress,
    books,
    book,
    options: book,
    notices: noticesOf(parts),
    jobNotes: parts.jobNotes,
    routing: parts.desk.routing,
    keyRenewals: parts.desk.keyRenewals,
    audit: auditTrail({ store: store.db, clock }),
    passwords: openPasswords(),
    ...openDoors(parts),
    ...parts.correspondence.services,
    shownQuotas: openShownQuotas(parts.coordination),
    searches: new Searches(),
    networks,
    setupToken,
    guesses: openPasswordGuesses({
      counters: limits.guesses,
      networks,
      canReset: () => canSendMail(book) && book.get('ServerAddress') !== '',
    }),
    addressMails: limits.addressMails,
    redeemFailures: limits.redeemFailures,
    isDefaultTokenMade: config.isDefaultTokenMade,
    providers,
    probe: createProbe({ ...parts, ...parts.desk }),
    version,
    startedMs: clock.nowMs(),
    ownAddress: () => state.address,
    releasesUrl: config.releasesUrl,
  }
}
