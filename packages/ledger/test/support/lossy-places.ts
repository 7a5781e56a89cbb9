import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '@tollgate/kit/clock'
import { StoreError } from '@tollgate/store/database/errors'
import type { AccountId } from '../../src/account.ts'
import type { Alarm, Command, CommandContext } from '../../src/core/command.ts'
import type { LedgerStorage, Reply } from '../../src/core/storage.ts'
import { createLedger } from '../../src/create-ledger.ts'
import type { Ledger } from '../../src/ledger.ts'
import { memoryStorage } from '../../src/memory/storage.ts'
import { MemoryTables } from '../../src/memory/tables.ts'
import type { Recalls } from '../../src/recalls.ts'
import { ServerFolds } from '../../src/server/folds.ts'
import type { Dice } from './faults.ts'

export interface LossCounts {
  /** Grants that were carried out and whose answer was lost. */
  lostGrants: number
  lostReturns: number
  lostFolds: number
  /** Requests that never arrived. */
  notArrived: number
}

const LOST = new StoreError('unreachable', 'the connection was lost')

/**
 * The queue of a database server over tables in memory, in whose place it stands: it takes its time, and loses requests
 * and answers. As over a server, a command that is submitted again after a lost answer is carried out once.
 */
class LossyQueue {
  readonly #storage: LedgerStorage
  readonly #dice: Dice
  readonly #replies = new WeakMap<Command, Reply>()
  readonly counts: LossCounts
  #last: Promise<unknown> = Promise.resolve()
  isLossy = false
  /** The answer to the next command of each of these types is lost. */
  readonly losesNext = new Set<Command['type']>()

  constructor(storage: LedgerStorage, dice: Dice, counts: LossCounts) {
    this.#storage = storage
    this.#dice = dice
    this.counts = counts
  }

  run(commands: readonly Command[], context: CommandContext): Promise<readonly Reply[]> {
    return this.inTurn(() => this.#run(commands, context))
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  isUntouched(command: Command): boolean {
    return !this.#replies.has(command)
  }

  async #run(commands: readonly Command[], context: CommandContext): Promise<readonly Reply[]> {
    for (let turns = this.isLossy ? this.#dice.below(6) : 0; turns > 0; turns--) await nextTurn()
    if (this.isLossy && this.#dice.chance(0.01)) {
      this.counts.notArrived++
      throw LOST
    }
    const fresh = commands.filter((command) => !this.#replies.has(command))
    const replies = await this.#storage.run(fresh, context)
    for (const [index, command] of fresh.entries()) {
      const reply = replies[index]
      if (reply) this.#replies.set(command, reply)
    }
    for (let turns = this.isLossy ? this.#dice.below(6) : 0; turns > 0; turns--) await nextTurn()
    if (this.#losesAnswer(fresh)) {
      this.#count(fresh)
      throw LOST
    }
    return commands.map((command) => this.#take(command))
  }

  #losesAnswer(commands: readonly Command[]): boolean {
    const lost = commands.find(
      (command) => this.losesNext.has(command.type) && (command.type !== 'allot' || this.#isGranted(command)),
    )
    if (lost) this.losesNext.delete(lost.type)
    return lost !== undefined || (this.isLossy && commands.length > 0 && this.#dice.chance(0.01))
  }

  #isGranted(command: Command): boolean {
    const reply = this.#replies.get(command)
    if (command.type !== 'allot' || reply?.type !== 'decided') return false
    const { outcome } = reply.decision
    return 'type' in outcome && outcome.type === 'allotted'
  }

  #count(commands: readonly Command[]): void {
    if (commands.some((command) => this.#isGranted(command))) this.counts.lostGrants++
    if (commands.some(({ type }) => type === 'giveBack')) this.counts.lostReturns++
    if (commands.some(({ type }) => type === 'fold')) this.counts.lostFolds++
  }

  #take(command: Command): Reply {
    const reply = this.#replies.get(command)
    if (reply === undefined) throw new Error('every command is answered')
    this.#replies.delete(command)
    return reply
  }
}

export interface LossyNode {
  readonly ledger: Ledger
  readonly alarms: readonly Alarm[]
  /** The answer to its next command of this type is lost, after that was carried out. */
  readonly loseNext: (type: Command['type']) => void
}

/** Several processes that share tables in memory behind lossy connections, and recall quota of each other. */
export class LossyPlaces {
  readonly tables = new MemoryTables()
  readonly counts: LossCounts = { lostGrants: 0, lostReturns: 0, lostFolds: 0, notArrived: 0 }
  readonly #folder = mkdtempSync(join(tmpdir(), 'tollgate-lossy-'))
  readonly #dice: Dice
  readonly #queues: LossyQueue[] = []
  readonly #ledgers: Ledger[] = []
  readonly #listeners = new Map<string, (account: AccountId | undefined) => void>()
  recalled = 0

  constructor(dice: Dice) {
    this.#dice = dice
  }

  async open(name: string): Promise<LossyNode> {
    const alarms: Alarm[] = []
    const memory = memoryStorage(this.tables)
    const queue = new LossyQueue(memory, this.#dice, this.counts)
    const folds = new ServerFolds(queue, async () => [])
    const storage: LedgerStorage = {
      ...memory,
      start: async () => void this.tables.instances.set(name, 'alive'),
      run: (commands, context) => queue.run(commands, context),
      isUntouched: (command) => queue.isUntouched(command),
      fold: (range, context) => folds.fold(range, context),
      readAllotments: (question, context) => queue.inTurn(() => memory.readAllotments(question, context)),
    }
    const ledger = await createLedger(storage, {
      clock: systemClock,
      instanceId: name,
      recalls: this.#recallsOf(name),
      journal: { folder: join(this.#folder, name), databaseId: 'memory' },
      onAlarm: (alarm) => alarms.push(alarm),
    })
    this.#queues.push(queue)
    this.#ledgers.push(ledger)
    return { ledger, alarms, loseNext: (type) => void queue.losesNext.add(type) }
  }

  beLossy(isLossy: boolean): void {
    for (const queue of this.#queues) queue.isLossy = isLossy
  }

  /** As if another process had been refused a call of this account. */
  recall(account: AccountId): void {
    this.recalled++
    for (const listener of this.#listeners.values()) listener(account)
  }

  async close(): Promise<void> {
    for (const ledger of this.#ledgers) await ledger.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #recallsOf(name: string): Recalls {
    return {
      publish: (account) => {
        for (const [other, listener] of this.#listeners)
          if (other !== name) setImmediate(() => listener(account))
      },
      subscribe: (listener) => {
        this.#listeners.set(name, listener)
        return () => void this.#listeners.delete(name)
      },
      patienceMs: () => 500,
    }
  }
}
