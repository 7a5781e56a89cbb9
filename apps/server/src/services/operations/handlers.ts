import { type OperationsNode, operationsRoutes } from '@tollgate/contract/operations'
import { listJobRuns } from '@tollgate/store/operations/job-runs'
import { listNodeFigures } from '@tollgate/store/operations/node-figures'
import { countWaitingWork } from '@tollgate/store/operations/outbox'
import type { NodeFiguresTable } from '@tollgate/store/tables/operations'
import { AUDIT_JOB, findingsOf } from '../../jobs/audit.ts'
import type { NodeFigures } from '../../jobs/note-node.ts'
import { type BoundRoute, type Handler, bind } from '../handler.ts'
import { listCharges } from './charges.ts'
import { listMembers, type MembersServices } from './members.ts'
import type { Services } from '../services.ts'

type OperationsServices = Pick<Services, 'store' | 'clock' | 'ledger'> & MembersServices

export function operationsHandlers(services: OperationsServices): readonly BoundRoute[] {
  return [
    bind(operationsRoutes.read, readOperations(services)),
    bind(operationsRoutes.charges, listCharges(services)),
    bind(operationsRoutes.members, listMembers(services)),
  ]
}

/** A process of an earlier version does not report these. */
const NOT_REPORTED = { allotments: 0, allotments_mended: 0, fold_lag_seconds: 0 }
/** Three reports of a process missed. */
const ALIVE_MS = 30_000
/** A process that is silent for longer is not listed. */
const LISTED_MS = 3_600_000

function readOperations({ store, clock, ledger }: OperationsServices): Handler<typeof operationsRoutes.read> {
  return async () => {
    const nowMs = clock.nowMs()
    const [rows, holds, outbox, runs] = await Promise.all([
      listNodeFigures(store, nowMs - LISTED_MS),
      ledger.gauges(),
      countWaitingWork(store),
      listJobRuns(store),
    ])
    const nodes = rows.map((row) => nodeOf(row, nowMs))
    const alive = nodes.filter((node) => node.is_alive)
    const sum = (name: Summed) => alive.reduce((total, node) => total + node[name], 0)
    return {
      calls_per_second: sum('calls_per_second'),
      failed_per_second: sum('failed_per_second'),
      p50_ms: Math.max(0, ...alive.map((node) => node.p50_ms)),
      p95_ms: Math.max(0, ...alive.map((node) => node.p95_ms)),
      in_flight: sum('in_flight'),
      sockets: sum('sockets'),
      queued: sum('queued'),
      journaled: sum('journaled'),
      allotments: sum('allotments'),
      allotments_mended: sum('allotments_mended'),
      fold_lag_seconds: Math.max(0, ...alive.map((node) => node.fold_lag_seconds)),
      open_holds: holds.openHolds,
      oldest_hold_seconds: holds.oldestHoldMs / 1000,
      is_ledger_writable: ledger.health().isWritable,
      outbox_waiting: outbox,
      audit_findings: findingsOf(runs.find(({ name }) => name === AUDIT_JOB)?.figures),
      nodes,
    }
  }
}

type Summed =
  | 'calls_per_second'
  | 'failed_per_second'
  | 'in_flight'
  | 'sockets'
  | 'queued'
  | 'journaled'
  | 'allotments'
  | 'allotments_mended'

function nodeOf({ id, at_ms: atMs, figures }: NodeFiguresTable, nowMs: number): OperationsNode {
  const {
    started_ms: startedMs,
    allotment_mended_ms: _mendedMs,
    disk_free_bytes: _freeBytes,
    disk_size_bytes: _sizeBytes,
    ...rest
  }: NodeFigures = JSON.parse(figures)
  return {
    id,
    ...NOT_REPORTED,
    ...rest,
    started_time: Math.floor(startedMs / 1000),
    seen_time: Math.floor(atMs / 1000),
    is_alive: nowMs - atMs < ALIVE_MS,
  }
}
