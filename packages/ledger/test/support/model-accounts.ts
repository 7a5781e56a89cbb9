import { type ModelAccount, positive } from './model-state.ts'

/** The accounts of the reference model, and the keys that were used. */
export class ModelAccounts {
  readonly accounts = new Map<number, ModelAccount>()
  protected readonly grants = new Map<string, string>()
  protected readonly touched = new Set<number>()

  account(id: number): ModelAccount {
    const known = this.accounts.get(id)
    if (known) return known
    const fresh = { has: 0n, used: 0n, isUnlimited: false, hasPaid: false }
    this.accounts.set(id, fresh)
    return fresh
  }

  protected once(key: string, content: string): boolean | 'other' {
    const known = this.grants.get(key)
    if (known !== undefined) return known === content ? true : 'other'
    this.grants.set(key, content)
    return false
  }

  protected covers(id: number, amount: bigint): boolean {
    const { has, isUnlimited } = this.account(id)
    return isUnlimited || positive(has) >= amount
  }

  /** Returns the account and marks it as written, even when the amount written is zero. */
  protected touch(id: number): ModelAccount {
    this.touched.add(id)
    return this.account(id)
  }

  protected use(id: number, amount: bigint): void {
    const account = this.account(id)
    account.used += amount
    if (!account.isUnlimited) account.has -= amount
  }
}
