import type { Coordination } from '@tollgate/coordination/coordination'
import type { Store } from '@tollgate/store/open-store'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'

/** What a process has from the one that started it and others; see `process/`. */
export interface Parent {
  /** Names this process, for the ledger and for turns. */
  readonly nodeId: string
  /** No other worker was there when it began. */
  readonly isFirst: boolean
  /** Where all of them listen. */
  readonly port: number
  /** When the parent owns the database. */
  readonly openStore: ((config: Config, onFatal: (error: Error) => void) => Promise<Store>) | undefined
  /** When the parent keeps what its processes share. */
  readonly coordination: Coordination | undefined
  /** Prometheus text about all its processes; `own` is asked for the part of this one. */
  gatherMetrics(own: () => Promise<Registry>): () => Promise<string>
}
