import { costUnits } from '@tollgate/billing/cost'
import type { LogEventOf } from '@tollgate/contract/log-event/event'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { Problem } from '@tollgate/problems/problem'
import type { NewTask } from '@tollgate/ledger/inputs'
import type { JsonObject } from '@tollgate/dialects/json'
import type { TaskAsk } from '@tollgate/providers/tasks/platform'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { App } from '../app.ts'
import { problemNote } from '../stations/record/problem-note.ts'
import { adminInfo, receiptOf, rowOf } from '../stations/record/row.ts'
import type { Choice } from '../stations/route/choice.ts'
import { type HeldTask, usageOf } from './held-task.ts'

/** The log rows of task submissions. */

export interface RefusedTask {
  readonly reason: string
  readonly code: string
  readonly detail: JsonObject
  readonly choice: Choice | undefined
  /** Set when the gateway itself refused the task. */
  readonly problem?: Problem
}

export interface ChargedTask {
  readonly choice: Choice
  readonly task: NewTask
  readonly amount: bigint
}

export function consumptionRow(
  held: HeldTask,
  { choice, task, amount }: ChargedTask,
  { clock }: App,
): UsageLogRow {
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
export function isByTokens({ price, tokens }: HeldTask): boolean {
  return price.rule.type === 'ratio' && tokens !== undefined
}

/** The length of a video, which is priced per second. */
function secondsOf({ work }: TaskAsk): number | undefined {
  return work.type === 'video' ? work.seconds : undefined
}

export function errorRow(
  held: HeldTask,
  { reason, code, problem }: RefusedTask,
  { clock }: App,
): UsageLogRow {
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
