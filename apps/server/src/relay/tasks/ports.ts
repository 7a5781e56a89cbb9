import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import type { Problem } from '@tollgate/kit/problem'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { TaskPlatform } from '@tollgate/providers/tasks/platform'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { AuthenticatePorts } from '../stations/admit/authenticate.ts'
import type { AccessPorts } from '../../tasks/channel-access.ts'
import type { TaskUpdatePorts } from '../../tasks/apply-update.ts'
import type { Caller } from '../stations/admit/caller.ts'
import type { CountPorts } from '../stations/admit/count-call.ts'
import type { Call } from '../call.ts'
import type { HoldPorts } from '../stations/hold/hold.ts'
import type { RelayLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { KeyHealth } from '../stations/route/key-health.ts'
import type { StationPorts } from '../stations.ts'

/** What the task routes need besides the dependencies of the call stations. */
export interface TaskServices extends Pick<TaskUpdatePorts, 'db' | 'notifier'> {
  readonly cipher: Pick<Cipher, 'mark'>
  /** The address on which this process listens, for a site without a configured address. */
  readonly ownAddress: () => string
}

export interface TaskPorts
  extends
    TaskServices,
    AuthenticatePorts,
    AccessPorts,
    CountPorts,
    Pick<HoldPorts, 'onTokenExhausted' | 'tokenRates'>,
    Pick<StationPorts, 'onChannelRefused' | 'bodies' | 'bodyReader'> {
  readonly snapshots: Snapshots
  readonly ledger: Pick<Ledger, 'reserve' | 'settle' | 'release' | 'refund' | 'credit' | 'balance'>
  readonly egress: Pick<Egress, 'exchange' | 'dispatcher'>
  /**
   * For addresses reported by upstreams: reaches public addresses only, even if channels may reach others.
   */
  readonly mediaEgress: Pick<Egress, 'dispatcher' | 'exchange'>
  readonly clock: Clock
  readonly log: Log
  readonly limits: RelayLimits
  readonly random: () => number
  readonly health: KeyHealth
  /** Records a call that was refused after authentication. */
  readonly onRefused: (call: Call, refusal: Problem) => void
}

/** An authenticated request to the routes of a task platform. */
export interface TaskCall {
  readonly call: Call
  readonly caller: Caller
  readonly platform: TaskPlatform
}
