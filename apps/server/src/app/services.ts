import { destinationPolicy } from '@tollgate/egress/destination-policy'
import { providers } from '@tollgate/providers/index'
import type { ProbePort } from '../ports/channel-probe.ts'
import { openShownQuotas } from '../services/shown-quotas.ts'
import { openChanges } from '../services/change.ts'
import { canSendMail } from '../services/mail/rules.ts'
import { Searches } from '../services/searches.ts'
import { openPasswordAttempts } from '../services/session/password-attempts.ts'
import { countWrongKey } from '../edge/limits.ts'
import { openKeyLists } from '../services/token/key-lists.ts'
import { version } from '../version.ts'
import { type PlaneParts, noticesOf } from './base.ts'
import { openSignInProviders } from './sign-in-providers.ts'
import type { AllServices } from './handlers.ts'

/** Builds the services that the handlers of the admin API work with. */
export function servicesOf(parts: PlaneParts, probe: ProbePort): AllServices {
  const {
    store,
    logs,
    ledger,
    clock,
    cipher,
    egress,
    limits,
    networks,
    setupToken,
    config,
    settings,
    snapshots,
    state,
  } = parts
  const notices = noticesOf(parts)
  const changes = openChanges({ store: store.db, clock, notices })
  return {
    store: store.db,
    logs,
    ledger,
    clock,
    cipher,
    egress,
    snapshots,
    settings,
    options: settings,
    notices,
    ...changes,
    jobNotes: parts.jobNotes,
    routing: parts.desk.routing,
    credentialRefresh: parts.desk.credentialRefresh,
    passwords: parts.passwords,
    ...openSignInProviders(parts),
    ...parts.outbound.services,
    shownQuotas: openShownQuotas(parts.coordination),
    countWrongKey: (address) => countWrongKey(limits, address),
    keyLists: openKeyLists({ store: store.db, clock, limiter: limits.keyLists, ...changes }),
    searches: new Searches(),
    networks,
    setupToken,
    installation: parts.installation,
    guesses: openPasswordAttempts({
      counters: limits.guesses,
      networks,
      canReset: () => canSendMail(settings) && settings.get('ServerAddress') !== '',
    }),
    addressMails: limits.addressMails,
    listedDestinations: destinationPolicy(config.egressAllow),
    redeemFailures: limits.redeemFailures,
    isDefaultTokenMade: config.isDefaultTokenMade,
    providers,
    probe,
    version,
    startedMs: clock.nowMs(),
    ownAddress: () => state.address,
    releasesUrl: config.releasesUrl,
  }
}
