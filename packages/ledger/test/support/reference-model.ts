import type { Command } from '../../src/core/command.ts'
import type { ReserveInput } from '../../src/inputs.ts'
import { ModelAllotments } from './model-allotments.ts'
import type { ModelContext } from './model-scarcity.ts'
import { ModelAccounts } from './model-accounts.ts'
import { type Done, type ModelHold, RESERVED, least, positive } from './model-state.ts'

type Asked = Pick<ReserveInput, 'userAccount' | 'tokenAccount' | 'amount' | 'ceiling' | 'overdraft'>

const NO_CONTEXT: ModelContext = { instanceId: '', nowMs: 0 }

/**
 * A second implementation of the ledger, as small and as different as possible, which random runs compare
 * results with. An account is its balance (negative: debt), its usage and its holds; everything else is
 * derived.
 */
export class ReferenceModel extends ModelAccounts {
  readonly #holds = new Map<string, ModelHold>()
  readonly #done = new Map<string, Done>()
  readonly allotments = new ModelAllotments((id) => this.touch(id))

  reserved(id: number): bigint {
    return [...this.#holds.values()]
      .filter(({ user, token }) => user === id || token === id)
      .reduce((sum, hold) => sum + hold.held, this.allotments.amount(id))
  }

  /** How much the calls of a user may cost beyond their holds. */
  exposed(id: number): bigint {
    return [...this.#holds.values()]
      .filter(({ user }) => user === id)
      .reduce((sum, hold) => sum + hold.ceiling - hold.held, 0n)
  }

  /** Ends every open hold as recovery does; returns how many. */
  crash(): number {
    const open = [...this.#holds.keys()]
    for (const id of open) this.recover(id)
    return open.length
  }

  /** Ends one open hold as recovery does. */
  recover(id: string): unknown {
    const hold = this.#holds.get(id)
    if (!hold) return 'failed'
    const charge = least(hold.checkpoint, hold.held)
    this.#end(id, hold, charge)
    this.#done.set(id, { ...hold, charge, waived: 0n, isRecovered: true, isLate: false })
    return { charged: charge, waived: 0n, late: false }
  }

  get openHolds(): number {
    return this.#holds.size
  }

  /** The expected result, or `failed` when the command must be rejected as a bug of the caller. */
  run({ type, input }: Command, context: ModelContext = NO_CONTEXT): unknown {
    switch (type) {
      case 'reserve':
        return this.#reserve(input, context)
      case 'extend':
        return this.#extend(input)
      case 'checkpoint':
        return this.#checkpoint(input.holdId, input.amount)
      case 'settle':
        return this.#settle(input.holdId, input.amount)
      case 'release':
        return this.#release(input.holdId)
      case 'credit':
        return this.#credit(input)
      case 'adjust':
        return this.#adjust(input)
      case 'refund':
        return this.#refund(input)
      case 'transfer':
        return this.transfer(input)
      case 'open':
        return this.open(input)
      case 'recover':
        return this.recover(input.holdId)
      case 'allot':
        return this.#allot(input, context)
      case 'giveBack':
        return this.allotments.giveBack(input, context)
      case 'reclaim':
        return this.allotments.reclaim(input)
      case 'recall':
        return this.allotments.scarcity.recall(input.accounts, context)
      case 'fold':
        break
    }
    return this.#fold(input, context)
  }

  #reserve(input: Extract<Command, { type: 'reserve' }>['input'], context: ModelContext): unknown {
    const { holdId, userAccount: user, tokenAccount: token, amount, ceiling } = input
    const open = this.#holds.get(holdId)
    if (open)
      return open.user === user && open.token === token && open.ceiling === ceiling ? RESERVED : 'failed'
    if (this.#done.has(holdId)) return 'failed'
    const refusal = this.#refused(input, context)
    if (refusal) return refusal
    const isFollowed = token !== undefined && this.account(token).isUnlimited
    this.#holds.set(holdId, { user, token, isFollowed, held: 0n, ceiling, checkpoint: 0n })
    this.#enlarge(holdId, amount)
    return RESERVED
  }

  #allot(input: Extract<Command, { type: 'allot' }>['input'], context: ModelContext): unknown {
    const { instanceId } = context
    const reports = input.instanceId === instanceId ? input.reports : []
    const taken = this.allotments.takeBack(reports, instanceId)
    const refusal = this.#refused(input, context)
    if (refusal) return taken.length === 0 ? refusal : { ...refusal, taken }
    const ids = [input.userAccount, input.tokenAccount].filter((id) => id !== undefined)
    const grants = ids.map((id) => {
      const { exposedElsewhere, openHoldsElsewhere, ...grant } = this.allotments.grant(input, id, context)
      return {
        ...grant,
        exposedElsewhere: exposedElsewhere + this.exposed(id),
        openHoldsElsewhere: openHoldsElsewhere + this.#holdsOf(id),
      }
    })
    return { type: 'allotted', instanceId, grants, taken }
  }

  #fold(input: Extract<Command, { type: 'fold' }>['input'], { nowMs }: ModelContext): unknown {
    const result = this.allotments.fold(input, nowMs)
    for (const end of input.ends) {
      if (end.type === 'released' || this.#done.has(end.holdId)) continue
      const { userAccount: user, tokenAccount: token, isTokenFollowed: isFollowed, ceiling, waived } = end
      const hold = { user, token, isFollowed, ceiling, held: 0n, checkpoint: 0n }
      this.#done.set(end.holdId, { ...hold, charge: end.charged, waived, isRecovered: false, isLate: false })
    }
    return result
  }

  #holdsOf(id: number): number {
    return [...this.#holds.values()].filter(({ user, token }) => user === id || token === id).length
  }

  #refused(input: Asked, context: ModelContext): object | undefined {
    const refusal = this.#refusal(input)
    if (!refusal) return undefined
    const isOfToken = refusal.by === 'token' && input.tokenAccount !== undefined
    const elsewhere = this.allotments.scarcity.elsewhere(
      isOfToken ? (input.tokenAccount ?? 0) : input.userAccount,
      context,
    )
    return elsewhere ? { ...refusal, elsewhere } : refusal
  }

  #refusal(input: Asked): { readonly by: string } | undefined {
    const { userAccount: user, tokenAccount: token, amount, ceiling, overdraft } = input
    const isAlone = this.#holdsOf(user) + this.allotments.openHolds(user) === 0
    const known = overdraft && { isAlone }
    for (const [by, id] of [
      ['user', user],
      ['token', token],
    ] as const)
      if (id !== undefined && !this.covers(id, amount))
        return asRefused({ by, remaining: positive(this.account(id).has), ...(by === 'user' && known) })
    const remaining = positive(this.account(user).has)
    const mayOwe = this.exposed(user) + this.allotments.exposed(user) + ceiling - amount
    const isBeyond = overdraft && ceiling > 0n && mayOwe > (remaining - amount) * overdraft.factor
    if (isBeyond && !(isAlone && overdraft.admitsAlone))
      return asRefused({ by: 'overdraft', remaining, isAlone })
    return undefined
  }

  #extend({ holdId, amount, movesCeiling }: Extract<Command, { type: 'extend' }>['input']): unknown {
    const hold = this.#holds.get(holdId)
    if (!hold) return { type: 'ended' }
    const { token } = hold
    if (token !== undefined && !hold.isFollowed && this.account(token).isUnlimited) {
      this.account(token).has += hold.held
      hold.isFollowed = true
    }
    const more = movesCeiling ? amount : least(amount, hold.ceiling - hold.held)
    const isCovered =
      this.covers(hold.user, more) && (token === undefined || hold.isFollowed || this.covers(token, more))
    if (!isCovered) return { type: 'refused' }
    if (movesCeiling) hold.ceiling += more
    this.#enlarge(holdId, more)
    return { type: 'extended', held: hold.held }
  }

  #checkpoint(holdId: string, amount: bigint): undefined {
    const hold = this.#holds.get(holdId)
    if (hold) hold.checkpoint = amount
  }

  #settle(holdId: string, amount: bigint): unknown {
    const hold = this.#holds.get(holdId)
    const done = this.#done.get(holdId)
    if (hold) {
      const charge = least(amount, hold.ceiling)
      this.#end(holdId, hold, charge)
      this.#done.set(holdId, { ...hold, charge, waived: amount - charge, isRecovered: false, isLate: false })
      return { charged: charge, waived: amount - charge, late: false }
    }
    if (!done) return 'failed'
    if (!done.isRecovered) return { charged: done.charge, waived: done.waived, late: false }
    if (!done.isLate && !done.isRefunded) this.#correct(done, amount)
    return { charged: done.charge, waived: done.waived, late: true }
  }

  #correct(done: Done, amount: bigint): void {
    const charge = least(amount, done.ceiling)
    for (const id of [done.user, done.token]) if (id !== undefined) this.use(id, charge - done.charge)
    done.charge = charge
    done.waived = amount - charge
    done.isLate = true
  }

  #release(holdId: string): undefined {
    const hold = this.#holds.get(holdId)
    if (hold) this.#end(holdId, hold, 0n)
  }

  #credit({ key, account, amount }: Extract<Command, { type: 'credit' }>['input']): unknown {
    const repeated = this.once(`credit ${key}`, `${account} ${amount}`)
    if (repeated === 'other') return { type: 'conflict' }
    if (!repeated) this.touch(account).has += amount
    if (!repeated && amount > 0n && account % 4 === 0 && /^(topup|redeem):/.test(key))
      this.account(account).hasPaid = true
    return { type: 'credited', repeated }
  }

  #adjust(input: Extract<Command, { type: 'adjust' }>['input']): unknown {
    const { key, account, delta, expected, unlimited } = input
    const known = this.#adjusted.get(key)
    if (known)
      return known.account === account && known.delta === delta
        ? { type: 'adjusted', before: known.before, after: known.before + delta, repeated: true }
        : { type: 'conflict' }
    const own = this.account(account)
    const before = own.has + this.allotments.free(account)
    if (expected !== undefined && expected !== before) return { type: 'changed', actual: before }
    if (account % 4 !== 0 && delta < 0n && before + delta < 0n)
      return { type: 'refused', remaining: positive(before) }
    this.#adjusted.set(key, { account, delta, before })
    this.touch(account).has += delta
    own.isUnlimited = unlimited ?? own.isUnlimited
    own.hasPaid ||= account % 4 === 0 && delta > 0n
    return { type: 'adjusted', before, after: before + delta, repeated: false }
  }

  readonly #adjusted = new Map<string, { account: number; delta: bigint; before: bigint }>()

  #refund({ taskId, requestId, amount }: Extract<Command, { type: 'refund' }>['input']): unknown {
    const key = `refund ${taskId}`
    const content = `${requestId} ${amount}`
    const done = this.#done.get(requestId)
    if (!this.grants.has(key)) {
      if (!done) return 'failed'
      if (done.isRefunded) return { type: 'conflict' }
      if (amount > done.charge) return 'failed'
      done.isRefunded = true
      for (const id of [done.user, done.token]) if (id !== undefined) this.use(id, -amount)
    }
    const repeated = this.once(key, content)
    if (repeated === 'other') return { type: 'conflict' }
    return { type: 'credited', repeated }
  }

  #enlarge(holdId: string, amount: bigint): void {
    const hold = this.#holds.get(holdId)
    if (!hold) return
    hold.held += amount
    this.touch(hold.user).has -= amount
    if (hold.token !== undefined && this.touch(hold.token) && !hold.isFollowed)
      this.account(hold.token).has -= amount
  }

  #end(id: string, hold: ModelHold, charge: bigint): void {
    const user = this.account(hold.user)
    user.has += hold.held - charge
    user.used += charge
    if (hold.token !== undefined) {
      const token = this.account(hold.token)
      token.used += charge
      if (!hold.isFollowed) token.has += hold.held - charge
    }
    this.#holds.delete(id)
  }
}

function asRefused<T extends { readonly by: string }>(refusal: T) {
  return { type: 'refused', ...refusal }
}
