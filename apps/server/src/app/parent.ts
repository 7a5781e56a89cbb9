import type { Coordination } from '@tollgate/coordination/coordination'
import type { Store } from '@tollgate/store/database/open-store'
import type { Registry } from 'prom-client'
import type { Config } from '../config/index.ts'

/** Resources that a worker process gets from the parent that started it; see `process/`. */
export interface Parent {
  /** Unique id of this process, used by the ledger and for leadership. */
  readonly nodeId: string
  /** True if no other worker existed when this one was started. */
  readonly isFirst: boolean
  /** The port that all workers share. */
  readonly port: number
  /** Set when the parent owns the database. */
  readonly openStore: ((config: Config, onFatal: (error: Error) => void) => Promise<Store>) | undefined
  /** Set when the parent keeps the rate limits and caches that its workers share. */
  readonly coordination: Coordination | undefined
  /** Returns Prometheus text that covers all worker processes; `own` supplies the metrics of this one. */
  gatherMetrics(own: () => Promise<Registry>): () => Promise<string>
}
