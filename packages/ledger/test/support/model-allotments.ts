import type { AllotInput, AllotmentReport, FoldInput, ReclaimInput } from '../../src/inputs.ts'
import { type ModelAccount, least, positive } from './model-state.ts'

interface ModelAllotment {
  amount: bigint
  free: bigint
  openHolds: number
  exposed: bigint
}

/** The allotments of the reference model, and how far its journals are folded. */
export class ModelAllotments {
  readonly #account: (id: number) => ModelAccount
  readonly #rows = new Map<number, Map<string, ModelAllotment>>()
  readonly #positions = new Map<string, number>()

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

  takeBack(reports: readonly AllotmentReport[], instanceId: string): void {
    for (const { account, free, openHolds, exposed } of reports) {
      const row = this.#rows.get(account)?.get(instanceId)
      if (!row) continue
      const returned = least(free, row.amount)
      this.#account(account).has += returned
      Object.assign(row, { amount: row.amount - returned, free: 0n, openHolds, exposed })
    }
  }

  giveBack(reports: readonly AllotmentReport[], instanceId: string): undefined {
    this.takeBack(reports, instanceId)
    for (const { account } of reports) {
      const row = this.#rows.get(account)?.get(instanceId)
      if (row?.amount === 0n && row.openHolds === 0) this.#rows.get(account)?.delete(instanceId)
    }
  }

  /** The call was admitted. */
  grant(input: AllotInput, id: number, instanceId: string) {
    const account = this.#account(id)
    const { isUnlimited } = account
    const left = positive(account.has - input.amount) / BigInt(input.parts)
    const extra = isUnlimited ? 0n : least(input.wanted, left)
    const amount = isUnlimited ? 0n : input.amount + extra
    const rows = this.#rows.get(id) ?? new Map<string, ModelAllotment>()
    const row = rows.get(instanceId) ?? { amount: 0n, free: 0n, openHolds: 0, exposed: 0n }
    const openHoldsElsewhere = this.openHolds(id) - row.openHolds
    const exposedElsewhere = this.exposed(id) - row.exposed
    this.#rows.set(id, rows.set(instanceId, row))
    account.has -= amount
    row.amount += amount
    row.free += extra
    row.openHolds++
    if (id === input.userAccount) row.exposed += input.ceiling - input.amount
    return { account: id, amount, isUnlimited, exposedElsewhere, openHoldsElsewhere, budget: undefined }
  }

  reclaim({ instanceId, accounts }: ReclaimInput): undefined {
    for (const account of accounts) {
      this.#account(account).has += this.#rows.get(account)?.get(instanceId)?.amount ?? 0n
      this.#rows.get(account)?.delete(instanceId)
    }
  }

  fold({ fileId, instanceId, from, to, ends, reports }: FoldInput): unknown {
    const position = this.#positions.get(fileId) ?? from
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
    return { type: 'folded', taken: taken.filter(({ amount }) => amount > 0n), recovered: 0 }
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
