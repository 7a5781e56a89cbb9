import { chargeUnits } from '@tollgate/billing/charge'
import { rejectExceeded } from '@tollgate/dialects/json-limits'
import { scanObject, type ScanLimits } from '@tollgate/dialects/json-scan'
import { noUsage } from '@tollgate/dialects/usage'
import { problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { Snapshots } from '../../../snapshots/snapshots.ts'
import type { BodyGate } from './body.ts'
import { balanceClassOf, type BodyLease } from './body-budget.ts'
import type { Caller } from './caller.ts'

const KIB = 1024
/** To find the model, which may be free, at most this much is read for a caller without a balance. */
const LOOKED_AT_BYTES_MAX = 1024 * KIB
/** The search for the model is repeated each time this many times as many bytes have arrived. */
const LOOK_AGAIN = 4
const MODEL_BYTES_MAX = 1024

export interface GateInput {
  readonly caller: Caller
  readonly lease: BodyLease
  readonly ledger: Pick<Ledger, 'balance'>
  readonly snapshots: Pick<Snapshots, 'prices' | 'roster'>
  /** The groups that could serve the call; a model counts as free if it is free in one of them. */
  readonly groups: readonly string[]
  /** The model, where the path names it. */
  readonly pathModel: string | undefined
  readonly isForm: boolean
  /** The limits for JSON bodies. */
  readonly limits: ScanLimits
  /** Called with what the caller can pay, before the rest of the body is read. */
  readonly onBalance?: (balance: bigint) => void
}

/**
 * Checks the caller's balance before a large body is read. With a balance the whole body may be read; without
 * one, only enough of it to see that its model is free. Small bodies are not checked, so that an ordinary
 * call reads no balance.
 */
export function bodyGate(input: GateInput): BodyGate {
  let balance: bigint | undefined
  return async (sofar) => {
    if (balance === undefined) {
      balance = await payable(input)
      input.onBalance?.(balance)
      input.lease.setStanding(balanceClassOf(balance))
      if (balance > 0n) return Number.POSITIVE_INFINITY
    }
    const model = input.pathModel ?? (input.isForm ? modelInForm(sofar) : modelInJson(sofar, input.limits))
    if (model !== undefined && isFree(model, input)) {
      input.lease.setStanding('small')
      return Number.POSITIVE_INFINITY
    }
    if (model !== undefined || sofar.length >= LOOKED_AT_BYTES_MAX)
      throw problem('insufficient_user_quota', { remaining: balance, needed: 1n })
    return Math.min(LOOKED_AT_BYTES_MAX - 1, Math.max(sofar.length, 1) * LOOK_AGAIN)
  }
}

/** The user's balance, or the token's if that is smaller. */
async function payable({ caller: { owner, token }, ledger }: GateInput): Promise<bigint> {
  const [ofUser, ofToken] = await Promise.all([
    ledger.balance(accountId('user', owner.id)),
    token === undefined || token.isUnlimited ? undefined : ledger.balance(accountId('token', token.id)),
  ])
  const remaining = ofUser?.remaining ?? 0n
  return ofToken === undefined || ofToken.remaining > remaining ? remaining : ofToken.remaining
}

const ONE_TOKEN = { ...noUsage, inputText: 1, outputText: 1, toolCalls: { submission: 1 } }

function isFree(model: string, { caller: { owner, pinned }, snapshots, groups }: GateInput): boolean {
  return groups.some((group) => {
    const name = pinned === undefined ? snapshots.roster().candidates(group, model).model : model
    const price = snapshots.prices().find({
      model: name,
      group,
      acceptsUnpriced: owner.acceptsUnpricedModels,
      ownGroup: owner.group,
    })
    return price !== undefined && chargeUnits(price, ONE_TOKEN) === 0n
  })
}

/**
 * The value of the first `model` member. A duplicate member is refused later, when the whole body has
 * arrived.
 */
function modelInJson(sofar: Buffer, limits: ScanLimits): string | undefined {
  const scan = scanObject(sofar, limits)
  rejectExceeded(scan, limits)
  const member = scan.members.find(({ name }) => name === 'model')
  if (member === undefined || member.valueEnd - member.valueStart > MODEL_BYTES_MAX) return undefined
  try {
    const value: unknown = JSON.parse(sofar.toString('utf8', member.valueStart, member.valueEnd))
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const FORM_MODEL = Buffer.from('name="model"\r\n\r\n')

function modelInForm(sofar: Buffer): string | undefined {
  const at = sofar.indexOf(FORM_MODEL)
  if (at < 0) return undefined
  const start = at + FORM_MODEL.length
  const end = sofar.indexOf('\r\n', start)
  return end < 0 || end - start > MODEL_BYTES_MAX ? undefined : sofar.toString('utf8', start, end)
}
