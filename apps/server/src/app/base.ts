import type { Coordination } from '@tollgate/coordination/coordination'
import type { Notices } from '@tollgate/coordination/notices'
import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { TokenCache } from '@tollgate/providers/sign/token-cache'
import type { Store } from '@tollgate/store/database/open-store'
import type { Logger } from 'pino'
import type { OpenSnapshots } from '../snapshots/open-snapshots.ts'
import type { Config } from '../config/index.ts'
import type { JobRunLog } from '../jobs/job-run-log.ts'
import type { Leadership } from '../jobs/leadership.ts'
import type { TaskServices } from '../relay/app.ts'
import type { Tracing } from '../relay/tracing.ts'
import type { Passwords } from '../services/session/passwords.ts'
import type { SignInAddresses } from '../services/oauth/addresses.ts'
import type { SiteSettings } from '../snapshots/site-settings.ts'
import type { Services } from '../services/services.ts'
import type { KnownNetworks } from '../services/session/known-networks.ts'
import type { SetupToken } from '../services/setup/setup-token.ts'
import type { ChannelOperations } from './channel-jobs.ts'
import type { Outbound } from './outbound.ts'
import type { AppLimits } from './limits.ts'
import type { SiteInstallation } from './installation.ts'
import type { Parent } from './parent.ts'

/** The parts that everything else in the server is built from. */
export interface Base {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly store: Store
  /** The usage log's database, when it is separate from the main one. */
  readonly logs: Store['db'] | undefined
  readonly ledger: Ledger
  readonly cipher: Cipher
  readonly egress: Egress
  /** Egress for URLs that callers name (media to download). It never allows private addresses. */
  readonly mediaEgress: Egress
  /** Access tokens that were obtained in exchange for channel keys. */
  readonly accessTokens: TokenCache
  readonly coordination: Coordination
  readonly notices: Notices
  readonly limits: AppLimits
  readonly networks: KnownNetworks
  readonly setupToken: SetupToken
  readonly passwords: Passwords
  readonly providers: SignInAddresses | undefined
  readonly parent: Parent | undefined
  readonly consolePath: string
  readonly installation: SiteInstallation
  /** Absent without a collector. */
  readonly tracing: Tracing | undefined
  /** The only mutable member. */
  readonly state: { isReady: boolean; isStopping: boolean; address: string }
}

/** The parts that the relay, the admin API and the background jobs are built from. */
export type PlaneParts = Base & {
  readonly desk: ChannelOperations
  readonly jobNotes: JobRunLog
  readonly tasks: TaskServices
  readonly settings: SiteSettings
  readonly snapshots: OpenSnapshots
  readonly leadership: Leadership
  readonly outbound: Outbound
}

/**
 * Adapts the two vocabularies: services publish the table that they wrote, listeners receive the entity that
 * changed.
 */
export function noticesOf({ notices }: Base): Services['notices'] {
  return {
    publish: (topic, id) => notices.publish({ entity: ENTITY_OF[topic], ...(id !== undefined && { id }) }),
  }
}

const ENTITY_OF = {
  options: 'option',
  users: 'user',
  tokens: 'token',
  channels: 'channel',
  jobs: 'job',
  emptiedUsers: 'emptiedUser',
  emptiedTokens: 'emptiedToken',
} as const
