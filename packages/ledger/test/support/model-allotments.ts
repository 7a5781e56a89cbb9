import type { AllotInput, AllotmentReport, FoldInput, GiveBackInput, ReclaimInput } from '../../src/inputs.ts'
import type { TakenQuota } from '../../src/results.ts'
import { type ModelContext, ModelScarcity } from './model-scarcity.ts'
import { type ModelAccount, least, positive } from './model-state.ts'

interface ModelAllotment {
  amount: bigint
  free: bigint
  openHolds: number
  exposed: bigint
  exactUntil: number
}

/** The allotments of the reference model, and how far its journals are folded. */
export class ModelAllotments {
  readonly #account: (id: number) => ModelAccount
  readonly #rows = new Map<number, Map<string, ModelAllotment>>()
  readonly #positions = new Map<string, number>()
  readonly scarcity = new ModelScarcity((account, instanceId) =>
    [...(this.#rows.get(account) ?? [])].flatMap(([id, row]) => (id === instanceId ? [] : [row])),
  )

  constructor(account: (id: number) => ModelAccount) {
    this.#account = account
  }

  amount(account: number): bigint {
    return this.#all(account).reduce((sum, row) => sum + row.amount, 0n)
  }

  free(account: number): bigint {
    return this.#all(account).reduce((sum, row) => sum + row.free, 0n)
  }

  openHolds(account: number): number {
    return this.#all(account).reduce((sum, row) => sum + row.openHolds, 0)
  }

  exposed(account: number): bigint {
    return this.#all(account).reduce((sum, row) => sum + row.exposed, 0n)
  }

  /** Returns what the rows no longer had. */
  takeBack(reports: readonly AllotmentReport[], instanceId: string): readonly TakenQuota[] {
    return reports.flatMap(({ account, free, openHolds, exposed }) => {
      const row = this.#rows.get(account)?.get(instanceId)
      const returned = least(free, row?.amount ?? 0n)
      this.#account(account).has += returned
      if (row) Object.assign(row, { amount: row.amount - returned, free: 0n, openHolds, exposed })
      return free > returned ? [{ account, amount: free - returned }] : []
    })
  }

  giveBack(input: GiveBackInput, { instanceId, nowMs }: ModelContext): unknown {
    const reports = input.instanceId === instanceId ? input.reports : []
    const taken: TakenQuota[] = []
    const scarce = reports.flatMap((report) => {
      const { account } = report
      taken.push(...this.takeBack([report], instanceId))
      const row = this.#rows.get(account)?.get(instanceId)
      const isOver = row?.amount === 0n && row.openHolds === 0
      if (!isOver) return this.scarcity.note(account, row, nowMs)
      this.#rows.get(account)?.delete(instanceId)
      return []
    })
    return { type: 'returned', scarce, taken }
  }

  /** The call was admitted. */
  grant(input: AllotInput, id: number, { instanceId, nowMs }: ModelContext) {
    const account = this.#account(id)
    const { isUnlimited } = account
    const left = positive(account.has - input.amount) / BigInt(input.parts)
    const isExact = isUnlimited || this.scarcity.isScarce(id, nowMs)
    const extra = isExact ? 0n : least(input.wanted, left)
    const amount = isUnlimited ? 0n : input.amount + extra
    const rows = this.#rows.get(id) ?? new Map<string, ModelAllotment>()
    const row = rows.get(instanceId) ?? { amount: 0n, free: 0n, openHolds: 0, exposed: 0n, exactUntil: 0 }
    const openHoldsElsewhere = this.openHolds(id) - row.openHolds
    const exposedElsewhere = this.exposed(id) - row.exposed
    this.#rows.set(id, rows.set(instanceId, row))
    account.has -= amount
    row.amount += amount
    row.free += extra
    row.openHolds++
    if (id === input.userAccount) row.exposed += input.ceiling - input.amount
    const scarceUntilMs = this.scarcity.untilOf(id, nowMs)
    if (!isUnlimited) this.scarcity.note(id, row, nowMs)
    const elsewhere = { exposedElsewhere, openHoldsElsewhere }
    return { account: id, amount, isUnlimited, ...elsewhere, budget: undefined, scarceUntilMs }
  }

  reclaim({ instanceId, accounts }: ReclaimInput): undefined {
    for (const account of accounts) {
      this.#account(account).has += this.#rows.get(account)?.get(instanceId)?.amount ?? 0n
      this.#rows.get(account)?.delete(instanceId)
    }
  }

  fold({ fileId, instanceId, from, to, ends, reports }: FoldInput, nowMs: number): unknown {
    const position = this.#positions.get(fileId) ?? 0
    if (position !== from) return { type: 'moved', position }
    this.#positions.set(fileId, to)
    const charges = new Map<number, bigint>()
    for (const end of ends) {
      if (end.type === 'released') continue
      const { userAccount: user, tokenAccount: token, isTokenFollowed, charged } = end
      charges.set(user, (charges.get(user) ?? 0n) + charged)
      if (token !== undefined && isTokenFollowed) this.#account(token).used += charged
      else if (token !== undefined) charges.set(token, (charges.get(token) ?? 0n) + charged)
    }
    const taken = [...charges].map(([account, charged]) => ({
      account,
      amount: this.#charge(account, charged, instanceId),
    }))
    for (const { account, free, openHolds, exposed } of reports) {
      const row = this.#rows.get(account)?.get(instanceId)
      if (row) Object.assign(row, { free: least(free, row.amount), openHolds, exposed })
    }
    const scarce = reports.flatMap(({ account }) =>
      this.scarcity.unknown(account, this.#rows.get(account)?.get(instanceId), nowMs),
    )
    return { type: 'folded', taken: taken.filter(({ amount }) => amount > 0n), recovered: 0, scarce }
  }

  /** Returns what the allotment did not cover. */
  #charge(id: number, charged: bigint, instanceId: string): bigint {
    const account = this.#account(id)
    const row = this.#rows.get(id)?.get(instanceId)
    const covered = least(charged, row?.amount ?? 0n)
    account.used += charged
    account.has -= charged - covered
    if (row) row.amount -= covered
    if (row) row.free = least(row.free, row.amount)
    return charged - covered
  }

  #all(account: number): readonly ModelAllotment[] {
    return [...(this.#rows.get(account)?.values() ?? [])]
  }
}
