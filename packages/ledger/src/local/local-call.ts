import { priceHash } from '@tollgate/billing/price-hash'
import type { AccountId } from '../account.ts'
import type { ExtendInput, ReserveInput } from '../inputs.ts'
import type { CallCheckpoint, JournalLine, OpenedLine } from '../journal/line.ts'
import type { LocalAccount } from './local-account.ts'

/** A call in flight within the allotments of this process. */
export interface LocalCall {
  readonly holdId: string
  readonly user: LocalAccount
  readonly token: LocalAccount | undefined
  isTokenFollowed: boolean
  readonly budgetSinceMs: number | undefined
  readonly priceJson: string
  readonly furtherPrices: readonly string[] | undefined
  readonly createdMs: number
  /** The token limits the number of its calls. */
  readonly isCounted: boolean
  held: bigint
  ceiling: bigint
  channelId: number | undefined
  /** Position of its `opened` line in the current file of the journal. */
  openedAt: number
  /** What the call would owe if it were interrupted now, once that was written. */
  checkpoint: bigint | undefined
}

/** Takes the call's amount from its accounts; they must cover it. */
export function place(
  input: ReserveInput,
  { user, token }: Pick<LocalCall, 'user' | 'token'>,
  nowMs: number,
): LocalCall {
  const { holdId, amount, ceiling, priceJson, furtherPrices, limits } = input
  const call: LocalCall = {
    holdId,
    user,
    token,
    isTokenFollowed: token?.isUnlimited ?? false,
    budgetSinceMs: token && limits?.budget && Math.max(token.budgetSinceMs, limits.budget.sinceMs),
    priceJson,
    furtherPrices: furtherPrices?.map(priceHash),
    createdMs: nowMs,
    isCounted: limits?.parallelCalls !== undefined,
    held: 0n,
    ceiling,
    channelId: undefined,
    openedAt: 0,
    checkpoint: undefined,
  }
  user.openHolds++
  user.exposed += ceiling
  user.usedMs = nowMs
  if (token) {
    token.openHolds++
    token.usedMs = nowMs
  }
  hold(call, amount)
  return call
}

/** Takes more for the call. */
export function hold(call: LocalCall, amount: bigint): void {
  call.held += amount
  call.user.exposed -= amount
  take(call, amount)
}

/** Ends the call with a charge; what it held beyond that becomes free again. */
export function end(call: LocalCall, charged: bigint): void {
  const { user, token, held, ceiling } = call
  user.openHolds--
  user.ended++
  user.exposed -= ceiling - held
  if (token) token.openHolds--
  take(call, charged - held)
}

/** Frees what the call holds of its token, which is unlimited now. Returns false if that was done before. */
export function follow(call: LocalCall): boolean {
  if (call.isTokenFollowed || !call.token) return false
  call.isTokenFollowed = true
  call.token.free += call.held
  return true
}

function take({ user, token, isTokenFollowed, budgetSinceMs }: LocalCall, amount: bigint): void {
  user.free -= amount
  if (!token) return
  if (!isTokenFollowed) token.free -= amount
  if (budgetSinceMs === token.budgetSinceMs) token.budgetFree -= amount
}

export function openedLine(call: LocalCall): OpenedLine {
  return {
    type: 'opened',
    holdId: call.holdId,
    userAccount: call.user.id,
    tokenAccount: accountOf(call.token),
    isTokenFollowed: call.isTokenFollowed,
    budgetSinceMs: call.budgetSinceMs,
    amount: call.held,
    ceiling: call.ceiling,
    priceJson: call.priceJson,
    furtherPrices: call.furtherPrices,
    createdMs: call.createdMs,
  }
}

export function checkpointLine(call: LocalCall, amount: bigint): CallCheckpoint {
  const { holdId, held, ceiling, channelId } = call
  return { holdId, amount, held, ceiling, channelId }
}

export function accountOf(token: LocalAccount | undefined): AccountId | undefined {
  return token?.id
}

/** Whether the allotments of the call's accounts cover an extension. */
export function coversMore(
  { user, token, isTokenFollowed }: LocalCall,
  amount: bigint,
  { budget }: ExtendInput,
): boolean {
  if (amount === 0n) return true
  if (user.free < amount) return false
  if (!token) return true
  if (!isTokenFollowed && token.free < amount) return false
  return budget === undefined || token.coversBudget(amount, budget)
}

/** The lines from which a reader knows these calls. */
export function* listOpenLines(calls: Iterable<LocalCall>): Generator<JournalLine> {
  for (const call of calls) {
    yield openedLine(call)
    if (call.checkpoint !== undefined) yield { type: 'checkpoint', ...checkpointLine(call, call.checkpoint) }
  }
}
