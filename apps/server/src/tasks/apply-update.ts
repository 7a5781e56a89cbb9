import type { LogEvent, LogEventOf } from '@tollgate/contract/log-event/event'
import type { Clock } from '@tollgate/kit/clock'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { accountId } from '@tollgate/ledger/account'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { TaskEnd } from '@tollgate/ledger/inputs'
import type { TaskUpdate } from '@tollgate/providers/tasks/task'
import { type NewWork, insertWork } from '@tollgate/store/operations/outbox'
import type { Database } from '@tollgate/store/tables/schema'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { type TaskChange, type TaskRow, changeTask } from '@tollgate/store/operations/tasks'
import type { Kysely } from 'kysely'
import { refundLogFields } from './submission-log.ts'
import { tokenCharge, withPaid, type TokenCharge } from './token-charge.ts'
import type { TaskNotifier } from './notifier.ts'
import { failingOf, stepOf, withFailing, withoutFailing } from './step.ts'

/** What is needed to update a task, by the poller or by a callback. */
export interface TaskUpdatePorts {
  readonly db: Kysely<Database>
  readonly ledger: Pick<Ledger, 'refund' | 'credit'>
  readonly clock: Clock
  readonly log: UpdateLog
  readonly notifier: TaskNotifier
}

export interface UpdateLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/**
 * Result of an update. `late`: the task was changed concurrently; the update can be repeated with fresh data.
 */
export type UpdateResult = 'nothing' | 'moved' | 'succeeded' | 'failed' | 'late'

/** Applies an update from the upstream to a task. */
export async function applyUpdate(
  ports: TaskUpdatePorts,
  row: TaskRow,
  update: Omit<TaskUpdate, 'taskId'> & { readonly taskId?: string },
): Promise<UpdateResult> {
  const step = stepOf(row, update)
  // A submission whose outcome was unknown now gets its upstream id.
  const named = row.status === 'UNKNOWN' && update.taskId ? { task_id: update.taskId } : {}
  if (step.type === 'none') return 'nothing'
  if (step.type === 'failure')
    return failTask(ports, row, { reason: step.reason, change: step.change, isTold: true })
  const nowMs = ports.clock.nowMs()
  const isSuccess = step.type === 'success'
  const charge = isSuccess ? await tokenCharge(ports.db, row, update.tokens) : undefined
  if (charge !== undefined && charge.refundUnits > 0n)
    return succeedForLess(ports, row, { change: step.change, charge })
  const finish = isSuccess ? { finish_ms: step.change.finish_ms || nowMs } : {}
  const change: TaskChange = { ...step.change, ...named, ...finish, updated_ms: nowMs }
  return isSuccess ? succeed(ports, row, change) : move(ports, row, change)
}

async function move(
  { db }: TaskUpdatePorts,
  { id, version }: TaskRow,
  change: TaskChange,
): Promise<UpdateResult> {
  return (await changeTask(db, { id, version, change })) ? 'moved' : 'late'
}

async function succeed(ports: TaskUpdatePorts, row: TaskRow, change: TaskChange): Promise<UpdateResult> {
  const task = { ...row, ...change }
  const notice = await ports.notifier.noticeOf(task, 'SUCCESS')
  if (!(await endAlone(ports, { id: row.id, version: row.version, change, notice }))) return 'late'
  ports.notifier.ended(task, 'SUCCESS')
  return 'succeeded'
}

/** Ends a task that was charged an estimate: the excess is refunded in the same transaction, once. */
async function succeedForLess(
  ports: TaskUpdatePorts,
  row: TaskRow,
  { change, charge }: { readonly change: TaskChange; readonly charge: TokenCharge },
): Promise<UpdateResult> {
  const { ledger, log, clock, notifier } = ports
  const nowMs = clock.nowMs()
  const { tokens, refundUnits } = charge
  const end = {
    id: row.id,
    version: row.version,
    status: 'SUCCESS',
    progress: '100%',
    fail_reason: '',
    finish_ms: change.finish_ms || nowMs,
    detail: withPaid(change.detail ?? row.detail, row.quota - refundUnits),
    updated_ms: nowMs,
  }
  const task = { ...row, ...end }
  const notice = await notifier.noticeOf(task, 'SUCCESS')
  const result = await ledger.refund({
    taskId: String(row.id),
    requestId: row.request_id ?? '',
    amount: refundUnits,
    end,
    ...(notice && { notice }),
    log: refundRow(row, {
      event: settledForLess(row, { tokens, refundUnits }),
      nowMs,
      refundUnits,
      isTold: true,
    }),
  })
  if (result.type === 'conflict') log.error({ task: row.id }, 'a task already has a different refund')
  if (result.type !== 'credited' || result.repeated) return 'late'
  notifier.ended(task, 'SUCCESS')
  return 'succeeded'
}

export interface FailedTask {
  readonly reason: string
  readonly change?: TaskChange
  /**
   * The upstream itself reported the failure, and so charges nothing. For a task that the gateway gave up,
   * that is not known.
   */
  readonly isTold?: boolean
}

/**
 * The only way in which a task fails: one transaction ends its row, refunds its charge and queues the
 * notification of its owner. It happens once, even if the same update arrives twice at the same time.
 */
export async function failTask(
  ports: TaskUpdatePorts,
  row: TaskRow,
  { reason, change = {}, isTold = false }: FailedTask,
): Promise<UpdateResult> {
  const nowMs = ports.clock.nowMs()
  const end = {
    id: row.id,
    version: row.version,
    status: 'FAILURE',
    progress: '100%',
    fail_reason: reason,
    finish_ms: change.finish_ms || nowMs,
    detail: withoutFailing(change.detail ?? row.detail),
    updated_ms: nowMs,
  }
  const task = { ...row, ...end }
  const notice = await ports.notifier.noticeOf(task, 'FAILURE')
  if (!(await endAndRefund(ports, row, { end, notice, isTold }))) return 'late'
  ports.notifier.ended(task, 'FAILURE')
  return 'failed'
}

interface Ending {
  readonly end: TaskEnd
  readonly notice: NewWork | undefined
}

async function endAndRefund(
  ports: TaskUpdatePorts,
  row: TaskRow,
  { end, notice, isTold }: Ending & { readonly isTold: boolean },
): Promise<boolean> {
  const { ledger, log } = ports
  if (row.quota === 0n) return endUnpaid(ports, { end, notice })
  if (row.request_id === null) return creditAndEnd(ports, row, { end, notice })
  const result = await ledger.refund({
    taskId: String(row.id),
    requestId: row.request_id,
    amount: row.quota,
    end,
    ...(notice && { notice }),
    log: refundRow(row, {
      event: refunded(row),
      reason: end.fail_reason,
      nowMs: end.updated_ms,
      refundUnits: row.quota,
      isTold,
    }),
  })
  if (result.type === 'conflict') log.error({ task: row.id }, 'a task already has a different refund')
  return result.type === 'credited' && !result.repeated
}

/**
 * For a task imported from an earlier system: its charge is part of the imported balance, so there is no
 * ledger entry to reverse and the credit is a separate step. The row is marked first; from then on the task
 * can only fail, and any process that finds the mark completes the refund.
 */
async function creditAndEnd(ports: TaskUpdatePorts, row: TaskRow, { end, notice }: Ending): Promise<boolean> {
  const { id, version } = row
  const isMarked = failingOf(row) !== undefined
  const change = { detail: withFailing(row, end.fail_reason), updated_ms: end.updated_ms }
  if (!isMarked && !(await changeTask(ports.db, { id, version, change }))) return false
  await ports.ledger.credit({
    key: `task:${id}`,
    account: accountId('user', row.user_id),
    amount: row.quota,
    note: `for task ${id}`,
  })
  return endUnpaid(ports, { end: { ...end, version: isMarked ? version : version + 1 }, notice })
}

function endUnpaid(
  ports: TaskUpdatePorts,
  { end: { id, version, ...change }, notice }: Ending,
): Promise<boolean> {
  return endAlone(ports, { id, version, change, notice })
}

interface LonelyEnd {
  readonly id: number
  readonly version: number
  readonly change: TaskChange
  readonly notice: NewWork | undefined
}

/** Ends a task without a refund. */
function endAlone({ db }: TaskUpdatePorts, { notice, ...end }: LonelyEnd): Promise<boolean> {
  if (!notice) return changeTask(db, end)
  return db.transaction().execute(async (within) => {
    const isEnded = await changeTask(within, end)
    if (isEnded) await insertWork(within, notice)
    return isEnded
  })
}

interface Refund {
  readonly event: LogEvent
  /** Why the task failed. */
  readonly reason?: string
  readonly nowMs: number
  readonly refundUnits: bigint
  readonly isTold: boolean
}

function refunded({ task_id, platform, quota }: TaskRow): LogEventOf<'task_refunded'> {
  return { event: 'task_refunded', task_id, platform, quota: Number(quota) }
}

function settledForLess(
  { task_id }: TaskRow,
  { tokens, refundUnits }: TokenCharge,
): LogEventOf<'task_settled_for_less'> {
  return { event: 'task_settled_for_less', task_id, tokens, quota: Number(refundUnits) }
}

/** The user name is filled in from the database. */
function refundRow(row: TaskRow, { event, reason, nowMs, ...refund }: Refund): UsageLogRow {
  return {
    request_id: `refund-${row.id}`,
    user_id: row.user_id,
    created_at: Math.floor(nowMs / 1000),
    type: LOG_TYPE.refund,
    content: '',
    username: '',
    token_id: row.token_id,
    quota: refund.refundUnits,
    prompt_tokens: 0,
    completion_tokens: 0,
    use_time: 0,
    duration_ms: 0,
    first_byte_ms: 0,
    is_stream: 0,
    channel_id: row.channel_id,
    ip: '',
    other: JSON.stringify({ ...event, platform: row.platform, action: row.action, reason }),
    ...refundLogFields(row, refund),
  }
}
