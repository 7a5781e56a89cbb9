import { setTimeout as sleep } from 'node:timers/promises'
import { usageToJson } from '@tollgate/billing/buckets'
import { costUnits } from '@tollgate/billing/cost'
import { priceToJson } from '@tollgate/billing/recompute'
import { noUsage } from '@tollgate/dialects/usage'
import type { LogEventOf } from '@tollgate/contract/log-event/event'
import { randomToken, sha256Hex } from '@tollgate/kit/ids'
import type { Problem } from '@tollgate/problems/problem'
import type { NewTask, SettleInput } from '@tollgate/ledger/inputs'
import { type JsonObject, parseObject } from '@tollgate/dialects/json'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { TaskAccepted, TaskAsk } from '@tollgate/providers/tasks/platform'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { insertFreeTask, listOwnTasks } from '@tollgate/store/operations/tasks'
import { submissionLogFields } from '../../tasks/submission-log.ts'
import { problemNote } from '../stations/record/problem-note.ts'
import { adminInfo, receiptOf, rowOf } from '../stations/record/row.ts'
import type { Choice } from '../stations/route/choice.ts'
import type { App } from '../app.ts'
import { type HeldTask, usageOf } from './held-task.ts'

/**
 * How task submissions end in the ledger. Each settles its hold once; a charged task is stored in the same
 * transaction as its charge.
 */

export interface Accepted {
  readonly choice: Choice
  readonly reply: TaskAccepted
}

/** Returns the task as it was stored. */
export async function settleAccepted(held: HeldTask, accepted: Accepted, app: App): Promise<NewTask> {
  const { choice, reply } = accepted
  const { update } = reply
  const nowMs = app.clock.nowMs()
  const status = update.status ?? 'NOT_START'
  const isDone = status === 'SUCCESS' || status === 'FAILURE'
  const isHidden = held.platform.hidesIds && reply.taskId !== undefined
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
  if (await isRepeated(held, accepted, app)) await app.ledger.release({ holdId: held.call.id })
  else await write(held, { choice, task, amount: reply.isCharged ? held.units : 0n }, app)
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
  const { platform, caller, ask } = held
  const known = await listOwnTasks(db, {
    userId: caller.owner.id,
    platform: platform.id,
    taskIds: [reply.taskId],
  })
  return known.some((row) => row.channel_id === choice.channel.id && row.action === ask.action)
}

/**
 * Charged, because the work may be under way; refunded at the deadline if the upstream never reports on it.
 */
export async function settleUnknown(
  held: HeldTask,
  { choice, detail }: { choice: Choice; detail: string },
  app: App,
): Promise<void> {
  const task = newTask(held, choice, {
    task_id: held.call.id,
    status: 'UNKNOWN',
    progress: '0%',
    fail_reason: '',
    start_ms: 0,
    finish_ms: 0,
    detail: { prompt: held.prompt, description: `outcome unknown: ${detail}` },
    nowMs: app.clock.nowMs(),
  })
  await write(held, { choice, task, amount: held.units }, app)
}

export interface RefusedTask {
  readonly reason: string
  readonly code: string
  readonly detail: JsonObject
  readonly choice: Choice | undefined
  /** Set when the gateway itself refused the task. */
  readonly problem?: Problem
}

/** Unlike new-api: a task that was not accepted is never charged, so there is nothing to refund later. */
export async function settleRefused(held: HeldTask, refused: RefusedTask, app: App): Promise<void> {
  const { call } = held
  const nowMs = app.clock.nowMs()
  await app.ledger.release({ holdId: call.id, log: errorRow(held, refused, app) })
  const task = newTask(held, refused.choice, {
    task_id: call.id,
    status: 'FAILURE',
    progress: '100%',
    fail_reason: refused.reason,
    start_ms: 0,
    finish_ms: nowMs,
    detail: {
      ...refused.detail,
      ...(refused.problem && problemNote(refused.problem)),
      prompt: held.prompt,
    },
    nowMs,
  })
  await insertFreeTask(app.db, { ...task, request_id: call.id })
}

type State = Pick<NewTask, 'task_id' | 'status' | 'progress' | 'fail_reason' | 'start_ms' | 'finish_ms'> & {
  readonly detail: JsonObject
  readonly nowMs: number
}

function newTask(held: HeldTask, choice: Choice | undefined, { detail, nowMs, ...state }: State): NewTask {
  const { caller, platform, ask, secret, call } = held
  return {
    ...state,
    platform: platform.id,
    user_id: caller.owner.id,
    token_id: caller.token?.id ?? 0,
    channel_id: choice?.channel.id ?? 0,
    action: ask.action,
    submit_ms: call.startedMs,
    deadline_ms: call.startedMs + platform.lifeMs,
    secret_hash: secret === undefined ? '' : sha256Hex(secret),
    detail: JSON.stringify({ ...detail, ...(choice && { key_index: choice.keyIndex }) }),
    created_ms: nowMs,
    updated_ms: nowMs,
  }
}

interface Written {
  readonly choice: Choice
  readonly task: NewTask
  readonly amount: bigint
}

/** Pauses between tries; settlements are idempotent. */
const RETRY_MS = [50, 500, 5_000]

async function write(held: HeldTask, { choice, task, amount }: Written, app: App): Promise<void> {
  const log = held.settings.isConsumptionLogged
    ? consumptionRow(held, { choice, task, amount }, app)
    : undefined
  const input: SettleInput = {
    holdId: held.call.id,
    amount,
    flags: isByTokens(held) ? ['estimated'] : [],
    channelId: choice.channel.id,
    usageJson: usageToJson(amount === 0n ? noUsage : usageOf(held)),
    ...(held.isMoved && { priceJson: priceToJson(held.price) }),
    task: log
      ? { ...task, detail: JSON.stringify({ ...parseObject(task.detail), booked: submissionLogFields(log) }) }
      : task,
    ...(log && { log }),
  }
  for (const pauseMs of [...RETRY_MS, undefined]) {
    try {
      await app.ledger.settle(input)
      return
    } catch (error) {
      app.log.error(
        { error, requestId: held.call.id, isFinal: pauseMs === undefined },
        'could not write the settlement of a task',
      )
      if (pauseMs === undefined) throw error
      await sleep(pauseMs, undefined, { ref: false })
    }
  }
}

function consumptionRow(held: HeldTask, { choice, task, amount }: Written, { clock }: App): UsageLogRow {
  const { call, price } = held
  return rowOf(call, durationOf(held, clock), {
    type: LOG_TYPE.consumption,
    ...(isByTokens(held) && { outputTokens: usageOf(held).outputText }),
    other: JSON.stringify({
      ...taskCharged(held, task),
      admin_info: adminInfo(call),
      receipt: receiptOf(held, usageOf(held)),
    }),
    cost: amount === 0n ? undefined : costUnits(choice.channel.costs, price, usageOf(held)),
  })
}

interface CompletionRatio {
  readonly completion_ratio?: number
}

function taskCharged(
  { price: { rule, groupRatio }, ask, platform }: HeldTask,
  task: NewTask,
): LogEventOf<'task_charged'> & CompletionRatio {
  const seconds = secondsOf(ask)
  return {
    event: 'task_charged',
    ...(rule.type === 'call'
      ? { model_price: Number(rule.price) }
      : { model_ratio: Number(rule.modelRatio), completion_ratio: Number(rule.completionRatio) }),
    group_ratio: Number(groupRatio),
    task_id: task.task_id,
    platform: platform.id,
    action: ask.action,
    ...(seconds !== undefined && { seconds }),
  }
}

/** Whether the charge is an estimate, because the price is by tokens. */
function isByTokens({ price, tokens }: HeldTask): boolean {
  return price.rule.type === 'ratio' && tokens !== undefined
}

/** The length of a video, which is priced per second. */
function secondsOf({ work }: TaskAsk): number | undefined {
  return work.type === 'video' ? work.seconds : undefined
}

function errorRow(held: HeldTask, { reason, code, problem }: RefusedTask, { clock }: App): UsageLogRow {
  const { call } = held
  return rowOf(call, durationOf(held, clock), {
    type: LOG_TYPE.error,
    content: reason,
    other: JSON.stringify({
      error_code: code,
      ...(problem && problemNote(problem)),
      admin_info: adminInfo(call),
      receipt: receiptOf(held),
    }),
  })
}

function durationOf({ call }: HeldTask, clock: App['clock']): number {
  return Math.round(clock.monotonicMs() - call.startedAt)
}
