import type { Coordination } from '@tollgate/coordination/coordination'
import type { Notices } from '@tollgate/coordination/notices'
import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import type { Seal } from '@tollgate/kit/seal'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { TokenCache } from '@tollgate/providers/sign/token-cache'
import type { Store } from '@tollgate/store/open-store'
import type { Logger } from 'pino'
import type { OpenBooks } from '../books/open-books.ts'
import type { Config } from '../config.ts'
import type { JobNotes } from '../jobs/job-notes.ts'
import type { Turn } from '../jobs/turn.ts'
import type { TaskDesk } from '../relay/tasks/ports.ts'
import type { DoorAddresses } from '../services/oauth/addresses.ts'
import type { SiteSettings } from '../books/site-settings.ts'
import type { Services } from '../services/services.ts'
import type { KnownNetworks } from '../services/session/known-networks.ts'
import type { SetupToken } from '../services/setup/setup-token.ts'
import type { ChannelDesk } from './channel-jobs.ts'
import type { Correspondence } from './correspondence.ts'
import type { Limits } from './limits.ts'
import type { Parent } from './parent.ts'

/** What everything else is made of. */
export interface Base {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly store: Store
  /** The usage log, when it has a database of its own. */
  readonly logs: Store['db'] | undefined
  readonly ledger: Ledger
  readonly seal: Seal
  readonly egress: Egress
  /** For addresses that callers name. */
  readonly mediaEgress: Egress
  /** What keys of channels were exchanged for. */
  readonly accessTokens: TokenCache
  readonly coordination: Coordination
  readonly notices: Notices
  readonly limits: Limits
  readonly networks: KnownNetworks
  readonly setupToken: SetupToken
  readonly doors: DoorAddresses | undefined
  readonly parent: Parent | undefined
  readonly consolePath: string
  /** The only thing here that changes. */
  readonly state: { isReady: boolean; address: string }
}

/** What both planes and the jobs are made of. */
export type PlaneParts = Base & {
  readonly desk: ChannelDesk
  readonly jobNotes: JobNotes
  readonly tasks: TaskDesk
  readonly settings: SiteSettings
  readonly books: OpenBooks
  readonly turn: Turn
  readonly correspondence: Correspondence
}

/** Services name the table they wrote, listeners the thing that changed. */
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
} as const
