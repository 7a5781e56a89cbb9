import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import type { AccountId } from '../../src/account.ts'
import type { Alarm, CommandType } from '../../src/core/command.ts'
import type { LedgerStorage } from '../../src/core/storage.ts'
import { createLedger } from '../../src/create-ledger.ts'
import type { Ledger } from '../../src/ledger.ts'
import { memoryStorage } from '../../src/memory/storage.ts'
import { MemoryTables } from '../../src/memory/tables.ts'
import type { Recalls } from '../../src/recalls.ts'

interface Gate {
  readonly type: CommandType
  /** Before the command is carried out, or before its answer is heard. */
  readonly holdsBack: 'command' | 'answer'
  readonly opened: Promise<void>
  readonly onReached: () => void
}

/** A command that does not get through, or whose answer does not. */
export interface HeldBack {
  /** Resolves when such a command has arrived. */
  readonly reached: Promise<void>
  readonly open: () => void
}

/** A ledger with a journal over tables in memory, whose commands and answers a test holds back by their type. */
export class GatedPlace {
  readonly tables = new MemoryTables()
  readonly alarms: Alarm[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'tollgate-gated-'))
  readonly #gates = new Set<Gate>()
  #processes = 0
  /** The answer to the next comparison waits for this. */
  #read: Pick<Gate, 'opened' | 'onReached'> | undefined
  readonly #storage: LedgerStorage = this.#gated(memoryStorage(this.tables))

  async open({ clock = systemClock, recalls }: { clock?: Clock; recalls?: Recalls } = {}): Promise<Ledger> {
    return createLedger(this.#storage, {
      clock,
      recalls,
      instanceId: `gated-${++this.#processes}`,
      journal: { folder: join(this.#folder, 'journal'), databaseId: 'memory' },
      onAlarm: (alarm) => this.alarms.push(alarm),
    })
  }

  holdBack(type: CommandType, holdsBack: Gate['holdsBack']): HeldBack {
    const opened = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const gate: Gate = { type, holdsBack, opened: opened.promise, onReached: () => reached.resolve() }
    this.#gates.add(gate)
    const open = (): void => {
      this.#gates.delete(gate)
      opened.resolve()
    }
    return { reached: reached.promise, open }
  }

  /** Holds back the answer to the next comparison with the tables. */
  holdBackRead(): HeldBack {
    const opened = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    this.#read = { opened: opened.promise, onReached: () => reached.resolve() }
    return { reached: reached.promise, open: () => opened.resolve() }
  }

  /** The row of the account for this process. */
  allotment(account: AccountId) {
    return this.tables.allotments(account).find(({ instanceId }) => instanceId === `gated-${this.#processes}`)
  }

  /** Quota of the account leaks into its allotment (or out of it), as a fault of the ledger could make it. */
  leak(account: AccountId, amount: bigint, { budgetAmount = 0n } = {}): void {
    const row = this.allotment(account)
    const state = this.tables.accounts.get(account)
    if (row === undefined || state === undefined) throw new Error('the process has an allotment')
    const { remaining, reserved } = state
    this.tables.accounts.set(account, {
      ...state,
      remaining: remaining - amount,
      reserved: reserved + amount,
    })
    this.tables.allotmentRows.set(`${account}:${row.instanceId}`, {
      ...row,
      amount: row.amount + amount,
      budgetAmount: row.budgetAmount + budgetAmount,
    })
  }

  /** The process has an allotment of which it was never told. */
  grantUnheard(account: AccountId, amount: bigint): void {
    const row = { account, instanceId: `gated-${this.#processes}`, ...NO_ALLOTMENT }
    this.tables.allotmentRows.set(`${account}:${row.instanceId}`, row)
    this.leak(account, amount)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #gated(storage: LedgerStorage): LedgerStorage {
    return {
      ...storage,
      run: async (commands, context) => {
        const gates = [...this.#gates].filter(({ type }) => commands.some((command) => command.type === type))
        await this.#pass(gates, 'command')
        const replies = await storage.run(commands, context)
        await this.#pass(gates, 'answer')
        return replies
      },
      readAllotments: async (question, context) => {
        const read = this.#read
        this.#read = undefined
        read?.onReached()
        // The tables may change until the answer is heard.
        await read?.opened
        return storage.readAllotments(question, context)
      },
    }
  }

  async #pass(gates: readonly Gate[], at: Gate['holdsBack']): Promise<void> {
    for (const { holdsBack, opened, onReached } of gates) {
      if (holdsBack !== at) continue
      onReached()
      await opened
    }
  }
}

const NO_ALLOTMENT = {
  amount: 0n,
  free: 0n,
  openHolds: 0,
  exposed: 0n,
  budgetSinceMs: 0,
  budgetAmount: 0n,
  budgetFree: 0n,
  exactUntilMs: 0,
}

/** How often a call of {@link spendAll} is tried again while the ledger is out of reach: a minute. */
const PAUSES_MAX = 600

/**
 * Makes calls of one unit until one is refused for want of quota; returns how many were served. A ledger that is out of
 * reach for a moment says nothing about quota, so such a call is tried again.
 */
export async function spendAll(
  ledger: Ledger,
  accounts: { readonly userAccount: AccountId; readonly tokenAccount?: AccountId },
  prefix = 'spend',
): Promise<bigint> {
  let pauses = 0
  for (let served = 0n; ;) {
    const holdId = `${prefix}-${accounts.tokenAccount ?? accounts.userAccount}-${served}-${pauses}`
    const { type } = await ledger.reserve({ holdId, ...accounts, amount: 1n, ceiling: 1n, priceJson: '{}' })
    if (type === 'refused') return served
    if (type === 'reserved') {
      await ledger.settle({ holdId, amount: 1n, flags: [], usageJson: '' })
      served++
    } else {
      if (++pauses > PAUSES_MAX) throw new Error(`${holdId} was answered with ${type}`)
      await sleep(100)
    }
  }
}
