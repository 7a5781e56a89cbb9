import { CALL_PRICES_MAX } from '@tollgate/billing/priced-parts'
import { priceHash } from '@tollgate/billing/price-hash'
import { invariant } from '@tollgate/kit/invariant'
import type { Budget, CheckpointInput, ExtendInput, ReleaseInput, ReserveInput } from '../inputs.ts'
import {
  canCover,
  endFollowedHold,
  endHold,
  reserveQuota,
  reserveFollowed,
  startFollowing,
  type HoldEnd,
} from './account.ts'
import { useOf } from './account-use.ts'
import { beginPeriod, refuse } from './admission.ts'
import type { CommandContext, Decision } from './command.ts'
import type { BatchState } from './batch-state.ts'
import { consumeKey } from './keys.ts'
import { releasedLog } from './log-row.ts'
import { exposureOf } from './overdraft.ts'
import type { HoldState } from './state.ts'
import { isWithin } from './token-limits.ts'

/** Reserves on both accounts or on neither. Repeating the request for the same hold is a no-op. */
export function reserve(
  draft: BatchState,
  input: ReserveInput,
  context: CommandContext,
): Decision<'reserve'> {
  invariant(input.amount >= 0n && input.ceiling >= input.amount, 'a hold is between zero and its ceiling')
  const open = draft.hold(input.holdId)
  if (open) return repeated(open, input)
  invariant(!draft.entry(consumeKey(input.holdId)), 'a call that was settled is not reserved again')
  const refusal = refuse(draft, input, context)
  if (refusal) return { outcome: refusal }
  const { userAccount, tokenAccount, amount, ceiling, priceJson, furtherPrices = [] } = input
  invariant(furtherPrices.length < CALL_PRICES_MAX, 'a hold names at most eight prices')
  beginPeriod(draft, input)
  const isTokenFollowed = tokenAccount !== undefined && draft.account(tokenAccount).isUnlimited
  const hold = { id: input.holdId, userAccount, tokenAccount, isTokenFollowed, amount, ceiling, priceJson }
  const { instanceId, nowMs: createdMs } = context
  const further = { furtherPrices: furtherPrices.map(priceHash) }
  draft.putHold({ ...hold, ...further, checkpoint: 0n, channelId: undefined, instanceId, createdMs })
  draft.addPrices(furtherPrices)
  addToHold(draft, hold, amount)
  countHold(draft, hold, 1)
  expose(draft, hold, exposureOf(hold))
  return { outcome: { type: 'reserved' } }
}

function repeated(open: HoldState, input: ReserveInput): Decision<'reserve'> {
  const isSame =
    open.userAccount === input.userAccount &&
    open.tokenAccount === input.tokenAccount &&
    open.ceiling === input.ceiling
  invariant(isSame, 'a hold id names one call')
  return { outcome: { type: 'reserved' } }
}

/**
 * Enlarges a hold. At the ceiling nothing more can be reserved or charged, so the request succeeds without a
 * change. The overdraft rule is not checked: an ordinary extension reduces exposure and remaining quota by
 * the same amount, so the possible debt stays the same. (With `movesCeiling` the exposure stays the same
 * instead.)
 */
export function extend(draft: BatchState, input: ExtendInput): Decision<'extend'> {
  invariant(input.amount >= 0n, 'a hold is enlarged, never reduced')
  const open = draft.hold(input.holdId)
  if (!open) return { outcome: { type: 'ended' } }
  const hold = followUnlimitedToken(draft, open)
  const room = exposureOf(hold)
  const amount = input.movesCeiling || input.amount < room ? input.amount : room
  if (!canEnlarge(draft, hold, { amount, budget: input.budget })) return { outcome: { type: 'refused' } }
  const held = hold.amount + amount
  const larger = { ...hold, amount: held, ceiling: hold.ceiling + (input.movesCeiling ? amount : 0n) }
  draft.putHold(larger)
  addToHold(draft, hold, amount)
  expose(draft, hold, exposureOf(larger) - room)
  return { outcome: { type: 'extended', held } }
}

interface Enlargement {
  readonly amount: bigint
  readonly budget: Budget | undefined
}

function canEnlarge(draft: BatchState, hold: HoldState, { amount, budget }: Enlargement): boolean {
  if (!canCover(draft.account(hold.userAccount), amount)) return false
  if (hold.tokenAccount === undefined) return true
  const token = useOf(draft, hold.tokenAccount)
  if (budget !== undefined && !isWithin(token, amount, budget)) return false
  return hold.isTokenFollowed || canCover(token.account, amount)
}

/** A token that was made unlimited during the call no longer limits the call. */
function followUnlimitedToken(draft: BatchState, hold: HoldState): HoldState {
  if (hold.tokenAccount === undefined || hold.isTokenFollowed) return hold
  const token = draft.account(hold.tokenAccount)
  if (!token.isUnlimited) return hold
  draft.putAccount(startFollowing(token, hold.amount))
  const followed = { ...hold, isTokenFollowed: true }
  draft.putHold(followed)
  return followed
}

/** The latest checkpoint replaces earlier ones. Does nothing when the hold has ended. */
export function checkpoint(draft: BatchState, input: CheckpointInput): Decision<'checkpoint'> {
  invariant(input.amount >= 0n, 'a checkpoint is never negative')
  const open = draft.hold(input.holdId)
  if (open) draft.putHold({ ...open, checkpoint: input.amount, channelId: input.channelId ?? open.channelId })
  return { outcome: { type: 'done' } }
}

/** Does nothing when the hold has ended. */
export function release(draft: BatchState, input: ReleaseInput): Decision<'release'> {
  const open = draft.hold(input.holdId)
  if (open) closeHold(draft, open, 0n)
  if (open && input.log) draft.addLog(releasedLog(input.log, open.id))
  return { outcome: { type: 'done' } }
}

/** Ends the hold with the same charge on both accounts. */
export function closeHold(draft: BatchState, hold: HoldState, charge: bigint): void {
  const end: HoldEnd = { held: hold.amount, charge }
  draft.putAccount(endHold(draft.account(hold.userAccount), end))
  if (hold.tokenAccount !== undefined) {
    const token = draft.account(hold.tokenAccount)
    draft.putAccount(hold.isTokenFollowed ? endFollowedHold(token, end) : endHold(token, end))
  }
  countHold(draft, hold, -1)
  expose(draft, hold, -exposureOf(hold))
  draft.endHold(hold.id)
}

function expose(draft: BatchState, { userAccount }: HeldAccounts, difference: bigint): void {
  const user = draft.account(userAccount)
  draft.putAccount({ ...user, exposed: user.exposed + difference })
}

function countHold(draft: BatchState, { userAccount, tokenAccount }: HeldAccounts, difference: 1 | -1): void {
  for (const id of [userAccount, tokenAccount]) {
    if (id === undefined) continue
    const account = draft.account(id)
    draft.putAccount({ ...account, openHolds: account.openHolds + difference })
  }
}

type HeldAccounts = Pick<HoldState, 'userAccount' | 'tokenAccount' | 'isTokenFollowed'>

function addToHold(
  draft: BatchState,
  { userAccount, tokenAccount, isTokenFollowed }: HeldAccounts,
  amount: bigint,
): void {
  draft.putAccount(reserveQuota(draft.account(userAccount), amount))
  if (tokenAccount === undefined) return
  const token = draft.account(tokenAccount)
  draft.putAccount(isTokenFollowed ? reserveFollowed(token, amount) : reserveQuota(token, amount))
}
