import type { ServerResponse } from 'node:http'
import type { Clock } from '@tollgate/kit/clock'
import type { EgressOptions } from '@tollgate/egress/open-egress'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { RelayDeps } from '../../src/relay/app.ts'
import type { CallLedger } from '../../src/relay/call-ledger.ts'

export interface RelayHarnessOptions {
  readonly clock?: Clock
  readonly limits?: RelayDeps['limits']
  readonly egressLimits?: NonNullable<EgressOptions['limits']>
  readonly random?: () => number
  /** Private networks from which media may be fetched; default: this machine. */
  readonly mediaAddresses?: readonly string[]
  /** What processes share; default: the memory of this one. */
  readonly ttlCache?: RelayDeps['ttlCache']
  /** Default: `:memory:`. */
  readonly sqlitePath?: string
  /** Observes or replaces what calls ask of the ledger. */
  readonly callLedger?: (ledger: Ledger) => CallLedger
  /** Called with the response of each call before the relay gets it. */
  readonly onCall?: (response: ServerResponse) => void
  /** DSN of a database server to use instead. */
  readonly dsn?: string
  /** Replaces exchanges with vendors that a test cannot reach. */
  readonly exchange?: (
    request: Parameters<RelayDeps['egress']['exchange']>[0],
    real: RelayDeps['egress']['exchange'],
  ) => ReturnType<RelayDeps['egress']['exchange']>
}
