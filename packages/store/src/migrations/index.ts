import type { Migration } from './migration.ts'
import { ledgerTables } from './1-ledger.ts'
import { siteTables } from './2-site.ts'
import { nodes } from './3-nodes.ts'
import { deliveryTables } from './4-delivery.ts'
import { leases } from './5-leases.ts'
import { identityTables } from './6-identities.ts'
import { tradeTables } from './7-trade.ts'
import { operationTables } from './8-operations.ts'
import { usageSums } from './9-usage-sums.ts'
import { defaultPasswords } from './10-default-passwords.ts'
import { logTextsAndCosts } from './12-log-texts.ts'
import { causesOfEntries } from './13-causes-of-entries.ts'
import { tokenLimits } from './14-token-limits.ts'
import { usageDays } from './15-usage-days.ts'
import { usagePairs } from './16-usage-pairs.ts'
import { overdrafts } from './17-overdrafts.ts'
import { encryptedChannels } from './18-encrypted-channels.ts'
import { changes } from './19-changes.ts'
import { knownNetworks } from './20-known-networks.ts'
import { accountSafety } from './21-account-safety.ts'
import { storedContext } from './22-stored-context.ts'
import { channelTests } from './24-channel-tests.ts'
import { sessions } from './25-sessions.ts'
import { allotments } from './26-allotments.ts'
import { scarceAccounts } from './27-scarce-accounts.ts'
import { prices } from './29-prices.ts'
import { alerts } from './33-alerts.ts'
import { modelDays } from './34-model-days.ts'
import { jobReasons } from './35-job-reasons.ts'
import { memberSightings } from './43-member-sightings.ts'
import { furtherPrices } from './46-further-prices.ts'
import { remarks } from './54-remarks.ts'
import { chargeNotes } from './60-charge-notes.ts'
import { installations } from './72-installation.ts'
import { keyForms } from './55-key-forms.ts'
import { listedFees } from './56-listed-fees.ts'
import { upstreamRequestIds } from './76-upstream-request-ids.ts'
import { tokenRefusals } from './77-token-refusals.ts'

/** In order; a new step gets the next number and its own file. */
export const migrations: readonly Migration[] = [
  ledgerTables,
  siteTables,
  nodes,
  deliveryTables,
  leases,
  identityTables,
  tradeTables,
  operationTables,
  usageSums,
  defaultPasswords,
  logTextsAndCosts,
  causesOfEntries,
  tokenLimits,
  usageDays,
  usagePairs,
  overdrafts,
  encryptedChannels,
  changes,
  knownNetworks,
  accountSafety,
  storedContext,
  channelTests,
  sessions,
  allotments,
  scarceAccounts,
  prices,
  alerts,
  modelDays,
  jobReasons,
  memberSightings,
  furtherPrices,
  remarks,
  keyForms,
  listedFees,
  chargeNotes,
  installations,
  upstreamRequestIds,
  tokenRefusals,
]
