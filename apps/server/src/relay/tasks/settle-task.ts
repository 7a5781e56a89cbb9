import { LOG_TYPE } from '@tollgate/kit/codes'
import { randomToken, sha256Hex } from '@tollgate/kit/ids'
import { problem, type Problem } from '@tollgate/problems/problem'
import type { NewTask } from '@tollgate/ledger/inputs'
import type { JsonObject } from '@tollgate/dialects/json'
import type { TaskAccepted, TaskRefused } from '@tollgate/providers/tasks/task'
import { insertFreeTask, listOwnTasks } from '@tollgate/store/operations/tasks'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { App } from '../app.ts'
import { adminInfo, problemNote, receiptOf, rowOf } from '../stations/record/row.ts'
import { noteCost } from '../stations/deliver/cost-report.ts'
import type { Choice } from '../stations/route/choice.ts'
import type { JsonAnswer } from './answer.ts'
import type { TriedTask } from './attempt-task.ts'
import { chargeTask, isByTokens } from './charge-task.ts'
import type { HeldTask } from './hold-task.ts'
import { viewOf } from './own-task.ts'

/**
 * How task submissions end in the ledger. Each settles its hold once; a charged task is stored in the same
 * transaction as its charge.
 */

/** Settles a submission and returns the response for its caller, or throws the Problem that refuses it. */
export async function settleTask(tried: TriedTask, app: App): Promise<JsonAnswer> {
  const { held, choice, sent } = tried
  const { call, ask, group, api } = held
  if (choice === undefined || sent === undefined)
    throw await refusedBy(problem('no_channel', { model: ask.model, group }), tried, app)
  if (sent.type === 'unsent') throw await refusedBy(sent.problem, tried, app)
  if (sent.type === 'unknown') {
    await settleUnknown(held, { choice, detail: sent.detail }, app)
    throw problem('task_outcome_unknown', { task: call.id })
  }
  const { reply, retryAfterMs } = sent
  if (reply.type === 'refused') {
    call.counted?.failed()
    app.failureLog.callFailed(call, { status: reply.status, code: reply.code })
    await settleRefused(held, { ...reply, choice }, app)
    return { status: reply.status, body: refusedBody(held, reply), retryAfterMs, isError: true }
  }
  const row = await settleAccepted(held, { choice, reply }, app)
  return reply.answer ?? { status: 200, body: api.showAccepted?.(viewOf(row, app)) }
}

/** Settles a submission that the gateway itself refused. */
async function refusedBy(refusal: Problem, { held, choice }: TriedTask, app: App): Promise<Problem> {
  const { code } = refusal
  await settleRefused(held, { reason: refusal.textIn('en'), code, detail: {}, choice, problem: refusal }, app)
  return refusal
}

/** Unlike new-api: where the operator hides upstream errors, the reason of a refused task is hidden too. */
function refusedBody({ api, settings }: HeldTask, refused: TaskRefused): unknown {
  if (refused.answer !== undefined) return refused.answer
  const isHidden = settings.isUpstreamErrorHidden && refused.status !== TOO_MANY
  const reason = isHidden ? `Upstream error with status code ${refused.status}` : refused.reason
  return api.showRefused?.({ ...refused, reason })
}

const TOO_MANY = 429

interface Accepted {
  readonly choice: Choice
  readonly reply: TaskAccepted
}

/** Returns the task as it was stored. */
async function settleAccepted(held: HeldTask, accepted: Accepted, app: App): Promise<NewTask> {
  const { choice, reply } = accepted
  const { update } = reply
  const nowMs = app.clock.nowMs()
  const status = update.status ?? 'NOT_START'
  const isDone = status === 'SUCCESS' || status === 'FAILURE'
  const isHidden = held.operation.endsLater.hidesIds && reply.taskId !== undefined
  const task = newTask(held, choice, {
    task_id: isHidden ? ownName() : (reply.taskId ?? held.call.id),
    status,
    progress: isDone ? '100%' : `${update.progress ?? 0}%`,
    fail_reason: update.failReason,
    start_ms: update.startMs ?? 0,
    finish_ms: isDone ? (update.finishMs ?? nowMs) : 0,
    detail: {
      ...update.detail,
      ...(isHidden && { upstream_id: reply.taskId }),
      ...(isByTokens(held) && { tokens_usual: held.tokens?.usual }),
      ...(held.prompt !== '' && { prompt: held.prompt }),
    },
    nowMs,
  })
  if (await isRepeated(held, accepted, app)) {
    await app.ledger.release({ holdId: held.call.id })
    noteCost(held, 0n)
  } else await chargeTask(held, { choice, task, amount: reply.isCharged ? held.units : 0n }, app)
  return task
}

/**
 * Unlike new-api: the upstream's task id is not shown, because it is not unique and not the caller's
 * business; this random id cannot be guessed either.
 */
function ownName(): string {
  return `task_${randomToken()}`
}

/**
 * Unlike new-api: when the upstream reports a task it already had, a caller who submits it again is not
 * charged again.
 */
async function isRepeated(held: HeldTask, { choice, reply }: Accepted, { db }: App): Promise<boolean> {
  if (!reply.isKnown || reply.taskId === undefined) return false
  const { operation, caller, ask } = held
  const known = await listOwnTasks(db, {
    userId: caller.owner.id,
    platform: operation.endsLater.platform,
    taskIds: [reply.taskId],
  })
  return known.some((row) => row.channel_id === choice.channel.id && row.action === ask.action)
}

/**
 * Charged, because the work may be under way; refunded at the deadline if the upstream never reports on it.
 */
async function settleUnknown(
  held: HeldTask,
  { choice, detail }: { choice: Choice; detail: string },
  app: App,
): Promise<void> {
  const task = newTask(held, choice, {
    status: 'UNKNOWN',
    detail: { prompt: held.prompt, description: `outcome unknown: ${detail}` },
    nowMs: app.clock.nowMs(),
  })
  await chargeTask(held, { choice, task, amount: held.units }, app)
}

interface RefusedTask {
  readonly reason: string
  readonly code: string
  readonly detail: JsonObject
  readonly choice: Choice | undefined
  /** Set when the gateway itself refused the task. */
  readonly problem?: Problem
}

/** Unlike new-api: a task that was not accepted is never charged, so there is nothing to refund later. */
async function settleRefused(held: HeldTask, refused: RefusedTask, app: App): Promise<void> {
  const { call } = held
  const nowMs = app.clock.nowMs()
  const log = errorRow(held, refused, app)
  const channel = refused.choice?.channel
  app.metrics.ended(
    { ...held, prices: app.snapshots.prices() },
    { call, channel, outcome: 'failed', isCallersFault: true, isStream: false, now: app.now() },
  )
  const task = newTask(held, refused.choice, {
    status: 'FAILURE',
    progress: '100%',
    fail_reason: refused.reason,
    finish_ms: nowMs,
    detail: {
      ...refused.detail,
      ...(refused.problem && problemNote(refused.problem)),
      prompt: held.prompt,
    },
    nowMs,
  })
  await app.ledger.release({ holdId: call.id, log })
  noteCost(held, 0n)
  await insertFreeTask(app.db, { ...task, request_id: call.id })
}

function errorRow(held: HeldTask, { reason, code, problem }: RefusedTask, { clock }: App): UsageLogRow {
  return rowOf(held, clock.monotonicMs(), {
    type: LOG_TYPE.error,
    content: reason,
    other: JSON.stringify({
      error_code: code,
      ...(problem && problemNote(problem)),
      admin_info: adminInfo(held),
      receipt: receiptOf(held),
    }),
  })
}

type State = Partial<Pick<NewTask, 'task_id' | 'progress' | 'fail_reason' | 'start_ms' | 'finish_ms'>> & {
  readonly status: string
  readonly detail: JsonObject
  readonly nowMs: number
}

function newTask(held: HeldTask, choice: Choice | undefined, { detail, nowMs, ...state }: State): NewTask {
  const { caller, operation, ask, secret, call } = held
  const { platform, lifeMs } = operation.endsLater
  return {
    task_id: call.id,
    progress: '0%',
    fail_reason: '',
    start_ms: 0,
    finish_ms: 0,
    ...state,
    platform,
    user_id: caller.owner.id,
    token_id: caller.token?.id ?? 0,
    channel_id: choice?.channel.id ?? 0,
    action: ask.action,
    submit_ms: call.startedMs,
    deadline_ms: call.startedMs + lifeMs,
    secret_hash: secret === undefined ? '' : sha256Hex(secret),
    detail: JSON.stringify({ ...detail, ...(choice && { key_index: choice.keyIndex }) }),
    created_ms: nowMs,
    updated_ms: nowMs,
  }
}
