import type { Coordination } from '@tollgate/coordination/coordination'
import type { Clock } from '@tollgate/kit/clock'
import { readDiskSpace } from '@tollgate/kit/disk-room'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { Db } from '@tollgate/store/tables/schema'
import { countOpenTasks } from '@tollgate/store/operations/tasks'
import { type ReadinessReport, UNREADY_REASONS } from '../readiness.ts'
import type { RelayPort } from '../../relay/create-relay.ts'
import { Gauge, type Registry } from 'prom-client'

export interface LedgerGaugeParts {
  readonly ledger: Pick<Ledger, 'health' | 'gauges'>
  readonly relay: Pick<RelayPort, 'inFlight' | 'bodyBytes' | 'sockets' | 'rememberedBytes' | 'readsInThreads'>
  readonly coordination: Pick<Coordination, 'health'>
  readonly leadership: { readonly isOurs: boolean }
  readonly db: Db
  readonly clock: Clock
  readonly dataFolder: string
  readonly readiness: () => Promise<ReadinessReport>
}

/**
 * While the database is unreachable its gauges are NaN, so that the remaining metrics, which matter most
 * then, are still served.
 */
const UNKNOWN = { openHolds: NaN, oldestHoldMs: NaN, debtTotal: NaN, interrupted: NaN }
const UNKNOWN_TASKS = { count: NaN, oldestMs: NaN }

/**
 * How a metric of several processes is combined: summed, or, when every process sees the same value or the
 * worst one counts, the minimum or maximum.
 */
type Together = 'sum' | 'min' | 'max'

/** Registers gauges of the relay, the ledger and the tasks; the returned function reads them. */
export function registerLedger(registry: Registry, parts: LedgerGaugeParts): () => Promise<void> {
  const { ledger, relay, coordination, leadership, db, clock, dataFolder, readiness } = parts
  const gauge = (name: string, help: string, aggregator: Together = 'sum') =>
    new Gauge({ name: `tollgate_${name}`, help, registers: [registry], aggregator })
  const now = {
    callsInFlight: gauge('calls_in_flight', 'Relay calls under way'),
    bodyBytes: gauge('body_bytes', 'Inflated bytes of the bodies of relay calls under way'),
    readsInThreads: gauge(
      'bodies_read_beside',
      'Bodies and texts read beside the event loop since the start',
    ),
    sockets: gauge('responses_sockets', 'Open WebSocket connections of the Responses API'),
    rememberedBytes: gauge(
      'responses_sockets_bytes',
      'Bytes of conversations that these connections remember',
    ),
    isWritable: gauge('ledger_writable', '1 while the ledger can be written', 'min'),
    ready: new Gauge({
      name: 'tollgate_ready',
      help: `1 while this process would answer a call. reason: empty, or ${UNREADY_REASONS.join(', ')}`,
      labelNames: ['reason'],
      registers: [registry],
      aggregator: 'min',
    }),
    isDiskFull: gauge('disk_full', '1 while calls are refused because the data folder has no room', 'max'),
    diskFree: gauge('disk_free_bytes', 'Room on the disk of the data folder', 'min'),
    diskSize: gauge('disk_size_bytes', 'Size of the disk of the data folder', 'min'),
    journaled: gauge('ledger_journaled', 'Ends of calls kept in a file while the database is away'),
    allotments: gauge('ledger_allotments', 'Accounts of which this process has quota set aside'),
    mended: gauge(
      'allotment_mended_total',
      'Accounts of which a process counted other quota than was set aside for it, since the start',
    ),
    unfolded: gauge('ledger_unfolded_bytes', 'Bytes of the journal that are not in the database yet'),
    foldLag: gauge(
      'ledger_fold_lag_seconds',
      'Age of the oldest call end that is not in the database yet',
      'max',
    ),
    queued: gauge('ledger_queued', 'Operations waiting to be written'),
    lastBatchSize: gauge('ledger_batch_size', 'Operations of the last transaction', 'max'),
    lastCommit: gauge('ledger_commit_seconds', 'Duration of the last transaction', 'max'),
    batches: gauge('ledger_batches', 'Transactions since the start'),
    recovered: gauge('ledger_recovered', 'Holds of dead processes settled since the start'),
    interrupted: gauge(
      'ledger_interrupted',
      'Calls that a crash interrupted and that were charged at most their last checkpoint, not corrected since',
      'max',
    ),
    corrections: gauge('ledger_corrections', 'Late settlements since the start'),
    refused: gauge('ledger_refused', 'Admissions refused since the start'),
    openHolds: gauge('ledger_open_holds', 'Holds not yet settled', 'max'),
    oldestHold: gauge('ledger_oldest_hold_seconds', 'Age of the oldest hold', 'max'),
    isShared: gauge('coordination_shared', '0 while Redis is away and limits are per process', 'min'),
    losses: gauge('coordination_losses', 'How often Redis was away since the start'),
    isTurnOurs: gauge('runs_timers', '1 where timers run that run once over all nodes'),
    debtTotal: gauge('ledger_debt', 'Quota owed by all accounts', 'max'),
    openTasks: gauge('tasks_open', 'Drawings, songs and videos not yet ended', 'max'),
    oldestTask: gauge('tasks_oldest_seconds', 'Age of the oldest task not yet ended', 'max'),
  }
  return async () => {
    const health = ledger.health()
    const [ready, gauges, tasks] = await Promise.all([
      readiness(),
      ledger.gauges().catch(() => UNKNOWN),
      countOpenTasks(db).catch(() => UNKNOWN_TASKS),
    ])
    const disk = readDiskSpace(dataFolder)
    now.ready.reset()
    const reason = ready.status === 'ready' ? '' : ready.reason
    now.ready.set({ reason }, ready.status === 'not ready' ? 0 : 1)
    now.isDiskFull.set(health.isDiskFull === true ? 1 : 0)
    now.diskFree.set(disk?.freeBytes ?? NaN)
    now.diskSize.set(disk?.sizeBytes ?? NaN)
    now.callsInFlight.set(relay.inFlight)
    now.bodyBytes.set(relay.bodyBytes)
    now.readsInThreads.set(relay.readsInThreads)
    now.sockets.set(relay.sockets)
    now.rememberedBytes.set(relay.rememberedBytes)
    now.unfolded.set(health.unfoldedBytes ?? 0)
    now.isWritable.set(health.isWritable ? 1 : 0)
    now.journaled.set(health.journaled ?? 0)
    now.mended.set(health.allotmentsMended ?? 0)
    now.allotments.set(health.allotments ?? 0)
    now.foldLag.set((health.foldLagMs ?? 0) / 1000)
    now.queued.set(health.queued)
    now.lastBatchSize.set(health.lastBatchSize)
    now.lastCommit.set(health.lastCommitMs / 1000)
    now.batches.set(health.batches)
    now.recovered.set(health.recovered)
    now.corrections.set(health.corrections)
    now.refused.set(health.refused)
    const { isShared, losses } = coordination.health()
    now.isShared.set(isShared ? 1 : 0)
    now.losses.set(losses)
    now.isTurnOurs.set(leadership.isOurs ? 1 : 0)
    now.openHolds.set(gauges.openHolds)
    now.interrupted.set(gauges.interrupted)
    now.oldestHold.set(gauges.oldestHoldMs / 1000)
    now.debtTotal.set(Number(gauges.debtTotal))
    now.openTasks.set(tasks.count)
    const taskMs = tasks.oldestMs === undefined ? 0 : Math.max(0, clock.nowMs() - tasks.oldestMs)
    now.oldestTask.set(taskMs / 1000)
  }
}
