import { hostname } from 'node:os'
import process from 'node:process'
import { type Buckets, quantileMs } from '@tollgate/kit/buckets'
import type { Clock } from '@tollgate/kit/clock'
import { readDiskSpace } from '@tollgate/kit/disk-room'
import type { LedgerHealth } from '@tollgate/ledger/ledger'
import { removeNode, removeNodeFigures, writeNodeFigures } from '@tollgate/store/operations/node-figures'
import type { Db } from '@tollgate/store/tables/schema'
import type { Job } from './job.ts'

/** What a process reports about itself; JSON in the column `figures`. */
export interface NodeFigures {
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly started_ms: number
  readonly is_leader: boolean
  readonly in_flight: number
  readonly sockets: number
  readonly calls_per_second: number
  readonly failed_per_second: number
  /** Durations of the calls since the last report; 0 without a call. */
  readonly p50_ms: number
  readonly p95_ms: number
  readonly queued: number
  readonly journaled: number
  readonly allotments: number
  readonly fold_lag_seconds: number
  /** Accounts of which it had counted other quota than was set aside for it, and when last; 0 for never. */
  readonly allotments_mended: number
  readonly allotment_mended_ms: number
  /** Resident memory; `null` where the system does not tell, such as Linux without `/proc`. */
  readonly memory_bytes: number | null
  /** Room on the disk of its data folder; `null` where the system does not tell. */
  readonly disk_free_bytes: number | null
  readonly disk_size_bytes: number | null
}

export interface NoteNodeParts {
  readonly db: Db
  readonly clock: Clock
  readonly id: string
  readonly version: string
  readonly dataFolder: string
  readonly relay: { readonly inFlight: number; readonly sockets: number }
  readonly ledger: { health(): Pick<LedgerHealth, ReportedHealth> }
  readonly leadership: { readonly isOurs: boolean }
  readonly recent: {
    take(): { readonly calls: number; readonly failed: number; readonly durations: Buckets }
  }
}

type ReportedHealth =
  | 'queued'
  | 'journaled'
  | 'allotments'
  | 'foldLagMs'
  | 'allotmentsMended'
  | 'allotmentMendedMs'

const EVERY_MS = 10_000
const KEPT_MS = 24 * 3_600_000

/** Reports what this process does, for the operations page of every process. */
export function noteNodeJob(parts: NoteNodeParts): Job {
  const { db, clock, id, version, dataFolder, relay, ledger, leadership, recent } = parts
  const startedMs = clock.nowMs()
  let lastAt = clock.monotonicMs()
  return {
    name: 'note-node',
    everyMs: EVERY_MS,
    firstMs: 1_000,
    runs: 'everywhere',
    run: async () => {
      const now = clock.monotonicMs()
      const seconds = Math.max(0.001, (now - lastAt) / 1000)
      lastAt = now
      const { calls, failed, durations } = recent.take()
      const disk = readDiskSpace(dataFolder)
      const { queued, journaled = 0, allotments = 0, foldLagMs = 0, ...health } = ledger.health()
      const figures: NodeFigures = {
        host: hostname(),
        pid: process.pid,
        version,
        started_ms: startedMs,
        is_leader: leadership.isOurs,
        in_flight: relay.inFlight,
        sockets: relay.sockets,
        calls_per_second: calls / seconds,
        failed_per_second: failed / seconds,
        p50_ms: quantileMs(durations, 0.5) ?? 0,
        p95_ms: quantileMs(durations, 0.95) ?? 0,
        queued,
        journaled,
        allotments,
        fold_lag_seconds: foldLagMs / 1000,
        allotments_mended: health.allotmentsMended ?? 0,
        allotment_mended_ms: health.allotmentMendedMs ?? 0,
        memory_bytes: residentBytes(),
        disk_free_bytes: disk?.freeBytes ?? null,
        disk_size_bytes: disk?.sizeBytes ?? null,
      }
      await writeNodeFigures(db, { id, at_ms: clock.nowMs(), figures: JSON.stringify(figures) })
      if (leadership.isOurs) await removeNodeFigures(db, clock.nowMs() - KEPT_MS)
    },
    end: () => removeNode(db, id),
  }
}

function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss()
  } catch {
    return null
  }
}
