import { invariant } from '@tollgate/kit/invariant'
import type { AllotmentReport, FoldInput, InterruptedCall } from '../inputs.ts'
import type { ReleasedCall, SettledCall } from '../journal/line.ts'
import { smaller } from './account.ts'
import type { BatchState } from './batch-state.ts'
import type { Alarm, CommandContext, Decision } from './command.ts'
import { ChargeSums } from './charge-sums.ts'
import { consumeKey } from './keys.ts'
import { recoveredLog, releasedLog, settledLog } from './log-row.ts'
import { unknownScarcity } from './scarcity.ts'
import { consumeEntry, correctRecovered } from './settlements.ts'

/**
 * Writes the calls that ended within a range of a journal: an entry and a log row for each, and one change per
 * account. The position of the file moves with them, so that each range is written once. A file without a stored
 * position has to be folded from its beginning.
 */
export function fold(draft: BatchState, input: FoldInput, context: CommandContext): Decision<'fold'> {
  const { fileId, instanceId, from, to } = input
  invariant(from <= to, 'a range of a journal ends after it begins')
  const known = draft.journal(fileId)
  const position = known?.position ?? 0
  if (position !== from) return { outcome: { type: 'moved', position } }
  if (input.isOwn && context.instanceId !== instanceId) return { outcome: { type: 'moved', position: from } }
  const folding: Folding = { draft, input, context, sums: new ChargeSums() }
  const corrected = input.ends.filter((end) => foldEnd(folding, end)).length
  const recovered = input.interrupted.filter((call) => foldInterrupted(folding, call)).length
  for (const line of input.rejected) draft.addRejected({ fileId, ...line, createdMs: context.nowMs })
  const taken = folding.sums.apply(draft, instanceId)
  for (const report of input.reports) noteReport(folding, report)
  const noted = { ...context, instanceId }
  const scarce = input.reports.flatMap(({ account }) => unknownScarcity(draft, account, noted))
  const openFrom = input.openFrom ?? known?.openFrom ?? 0
  draft.putJournal({ fileId, instanceId, position: to, openFrom, updatedMs: context.nowMs })
  return { outcome: { type: 'folded', taken, recovered, scarce }, alarm: alarmOf(input, corrected) }
}

interface Folding {
  readonly draft: BatchState
  readonly input: FoldInput
  readonly context: CommandContext
  readonly sums: ChargeSums
}

/** Returns true when the end corrected the charge of a recovery. */
function foldEnd(folding: Folding, end: FoldInput['ends'][number]): boolean {
  if (folding.input.isLate) return foldLate(folding, end)
  if (end.type === 'settled') writeSettled(folding, end, end.flags)
  else writeReleased(folding, end)
  return false
}

/** The call may be known already: the instance, or its recovery, may have ended it. */
function foldLate(folding: Folding, end: FoldInput['ends'][number]): boolean {
  const { draft, context } = folding
  const consumed = draft.entry(consumeKey(end.holdId))
  if (consumed === undefined) {
    if (end.type === 'settled') writeSettled(folding, end, [...end.flags, 'late'])
    else writeReleased(folding, end)
    return false
  }
  if (!consumed.flags.includes('recovered')) return false
  const { holdId, log } = end
  const input =
    end.type === 'settled'
      ? { ...end, amount: end.charged + end.waived, flags: end.flags.filter((flag) => flag !== 'waived') }
      : { holdId, log, amount: 0n, flags: [], usageJson: NO_USAGE }
  correctRecovered(draft, { consumed, input, circumstances: context })
  return true
}

const NO_USAGE = '{}'

function writeSettled({ draft, sums }: Folding, end: SettledCall, flags: readonly string[]): void {
  const { holdId: id, charged, waived } = end
  invariant(charged >= 0n && charged <= end.ceiling && waived >= 0n, 'a charge is within its ceiling')
  sums.add(end, charged)
  const entry = consumeEntry({ ...end, id }, charged)
  draft.addEntry({ ...entry, flags, waived, usageJson: end.usageJson, createdMs: end.endedMs })
  draft.addPrices(end.partPrices ?? [])
  if (end.log) draft.addLog(settledLog({ row: end.log, requestId: id, quota: charged, flags, waived }))
}

function writeReleased({ draft }: Folding, { holdId, log }: ReleasedCall): void {
  if (log) draft.addLog(releasedLog(log, holdId))
}

/** Charges what the caller had certainly received, and never more than was held. Skips a known call. */
function foldInterrupted({ draft, sums, context }: Folding, { call, checkpoint }: InterruptedCall): boolean {
  const { holdId: id } = call
  if (draft.entry(consumeKey(id))) return false
  const amount = checkpoint?.held ?? call.amount
  const ceiling = checkpoint?.ceiling ?? call.ceiling
  const charged = smaller(checkpoint?.amount ?? 0n, amount)
  const hold = { ...call, id, amount, ceiling, channelId: checkpoint?.channelId }
  sums.add(call, charged)
  draft.addEntry({
    ...consumeEntry(hold, charged),
    flags: ['recovered'],
    note: `ceiling ${ceiling}`,
    createdMs: context.nowMs,
  })
  draft.addLog(recoveredLog({ hold, quota: charged, nowMs: context.nowMs }))
  return true
}

/** Nothing is noted for an allotment that was returned meanwhile. */
function noteReport({ draft, input }: Folding, report: AllotmentReport): void {
  const { account, free, openHolds, exposed, budget } = report
  const row = draft.allotment(account, input.instanceId)
  if (!row) return
  const isOfPeriod = budget?.sinceMs === row.budgetSinceMs
  draft.putAllotment({
    ...row,
    free: smaller(free, row.amount),
    openHolds,
    exposed,
    budgetFree: smaller(isOfPeriod ? budget.free : row.budgetFree, row.budgetAmount),
  })
}

function alarmOf({ fileId, rejected }: FoldInput, corrected: number): Alarm | undefined {
  const [first] = rejected
  if (first)
    return {
      type: 'operation_failed',
      detail: `a line at ${first.position} of journal ${fileId} was not folded: ${first.reason}`,
    }
  if (corrected === 0) return undefined
  return {
    type: 'late_settlement',
    detail: `${corrected} calls of journal ${fileId} ended after their recovery`,
  }
}
