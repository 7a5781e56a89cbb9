import { usageToJson } from '@tollgate/billing/buckets'
import { costUnits } from '@tollgate/billing/cost'
import { priceToJson } from '@tollgate/billing/recompute'
import type { LogEventOf } from '@tollgate/contract/log-event/event'
import { parseObject } from '@tollgate/dialects/json'
import { noUsage } from '@tollgate/dialects/usage'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { NewTask, SettleInput } from '@tollgate/ledger/inputs'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { submissionLogFields } from '../../tasks/submission-log.ts'
import type { App } from '../app.ts'
import { adminInfo, receiptOf, rowOf } from '../stations/record/row.ts'
import type { Choice } from '../stations/route/choice.ts'
import { noteCost } from '../stations/deliver/cost-report.ts'
import { writeWithRetries } from '../stations/settle/settle.ts'
import { type HeldTask, usageOf } from './hold-task.ts'

interface ChargedTask {
  readonly choice: Choice
  readonly task: NewTask
  readonly amount: bigint
}

/** Settles the hold and stores the task in one transaction. */
export async function chargeTask(
  held: HeldTask,
  { choice, task, amount }: ChargedTask,
  app: App,
): Promise<void> {
  const { isConsumptionLogged } = held.settings
  app.metrics.ended(
    { ...held, prices: app.snapshots.prices() },
    {
      call: held.call,
      channel: choice.channel,
      outcome: 'complete',
      units: amount,
      cost: costOf(held, choice, amount),
      isStream: false,
      now: app.now(),
    },
  )
  const log = isConsumptionLogged ? consumptionRow(held, { choice, task, amount }, app) : undefined
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
  const { charged } = await writeWithRetries(() => app.ledger.settle(input), {
    requestId: held.call.id,
    what: 'task',
    log: app.log,
  })
  noteCost(held, charged)
}

function costOf(held: HeldTask, { channel }: Choice, amount: bigint): bigint | undefined {
  return amount === 0n ? undefined : costUnits(channel.costs, held.price, usageOf(held))
}

function consumptionRow(held: HeldTask, { choice, task, amount }: ChargedTask, { clock }: App): UsageLogRow {
  return rowOf(held, clock.monotonicMs(), {
    type: LOG_TYPE.consumption,
    ...(isByTokens(held) && { outputTokens: usageOf(held).outputText }),
    other: JSON.stringify({
      ...taskCharged(held, task),
      admin_info: adminInfo(held),
      receipt: receiptOf(held, usageOf(held)),
    }),
    cost: costOf(held, choice, amount),
  })
}

function taskCharged(
  { price: { rule, groupRatio }, ask, seconds }: HeldTask,
  task: NewTask,
): LogEventOf<'task_charged'> & { readonly completion_ratio?: number } {
  return {
    event: 'task_charged',
    ...(rule.type === 'call'
      ? { model_price: Number(rule.price) }
      : { model_ratio: Number(rule.modelRatio), completion_ratio: Number(rule.completionRatio) }),
    group_ratio: Number(groupRatio),
    task_id: task.task_id,
    platform: task.platform,
    action: ask.action,
    seconds,
  }
}

/** Whether the charge is an estimate, because the price is by tokens. */
export function isByTokens({ price, tokens }: HeldTask): boolean {
  return price.rule.type === 'ratio' && tokens !== undefined
}
