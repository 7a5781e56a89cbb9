import type { Command } from '../../src/core/command.ts'
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

  open(input: Extract<Command, { type: 'open' }>['input']): unknown {
    const { key, account, remaining, used, unlimited = false } = input
    if (!this.grants.has(`open ${key}`) && this.touched.has(account)) return { type: 'occupied' }
    const repeated = this.once(`open ${key}`, [account, remaining, used, unlimited].join(' '))
    if (repeated === 'other') return { type: 'conflict' }
    const hasPaid = account % 4 === 0
    if (!repeated)
      Object.assign(this.touch(account), { has: remaining, used, isUnlimited: unlimited, hasPaid })
    return { type: 'opened', repeated }
  }

  transfer({ key, from, to, amount }: Extract<Command, { type: 'transfer' }>['input']): unknown {
    const has = positive(this.account(from).has)
    if (!this.grants.has(`transfer ${key}`) && has < amount) return { type: 'refused', remaining: has }
    const repeated = this.once(`transfer ${key}`, `${from} ${to} ${amount}`)
    if (repeated === 'other') return { type: 'conflict' }
    if (!repeated) {
      this.use(from, amount)
      this.touch(to).has += amount
    }
    return { type: 'transferred', repeated }
  }
}
