import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import type { Problem } from '@tollgate/kit/problem'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { TaskPlatform } from '@tollgate/providers/tasks/platform'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { AuthenticatePorts } from '../admit/authenticate.ts'
import type { AccessPorts } from '../../tasks/channel-access.ts'
import type { TaskUpdatePorts } from '../../tasks/apply-update.ts'
import type { Caller } from '../admit/caller.ts'
import type { CountPorts } from '../admit/count-call.ts'
import type { Call } from '../call.ts'
import type { HoldPorts } from '../hold/hold.ts'
import type { RelayLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { KeyHealth } from '../route/key-health.ts'
import type { StationPorts } from '../stations.ts'

/** What the gateway's task routes have beside the stations of calls. */
export interface TaskServices extends Pick<TaskUpdatePorts, 'db' | 'notifier'> {
  readonly cipher: Pick<Cipher, 'mark'>
  /** Where this process listens, for a site whose operator named no address. */
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
  /** For addresses that upstreams told: public ones, whatever channels may reach. */
  readonly mediaEgress: Pick<Egress, 'dispatcher' | 'exchange'>
  readonly clock: Clock
  readonly log: Log
  readonly limits: RelayLimits
  readonly random: () => number
  readonly health: KeyHealth
  /** Records a call that was refused after its caller was known. */
  readonly onRefused: (call: Call, refusal: Problem) => void
}

/** A request to a platform's routes whose caller is known. */
export interface TaskCall {
  readonly call: Call
  readonly caller: Caller
  readonly platform: TaskPlatform
}
