import type { Tally } from './world-size.ts'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { Audit } from '../../../src/core/audit.ts'
import type { Command } from '../../../src/core/command.ts'
import type { Changes } from '../../../src/core/state.ts'
import type { DecidedCommands } from '../../../src/server/batch.ts'
import { accountTable, allotmentTable, entryTable, holdTable } from '../../../src/rows/tables.ts'
import { ReferenceModel } from '../reference-model.ts'
import type { ModelContext } from '../model-scarcity.ts'
import { positive } from '../model-state.ts'
import type { SimulatedDatabase } from './database.ts'
import type { TableName } from './tables.ts'
import { decodeRow } from './rows.ts'

/** Compares the decisions of the nodes with the model, in the order in which their batches are committed. */
export class Judge {
  readonly model = new ReferenceModel()
  readonly #database: SimulatedDatabase
  readonly #decided = new Map<string, JudgedBatch>()
  /** Latest committed result of each operation, by its input object. */
  readonly #words = new Map<object, unknown>()
  readonly #admitted = new Set<string>()
  readonly #rejected = new Set<object>()
  judged = 0
  recovered = 0
  allotted = 0
  folded = 0
  reclaimed = 0

  constructor(database: SimulatedDatabase) {
    this.#database = database
    database.onCommit = ({ instanceId, number }) => this.#commit(`${instanceId} ${number}`)
  }

  /** A batch without changes is judged at once, because its results do not depend on a commit. */
  readonly onDecided = (decided: DecidedCommands, batch: DecidedBatchOf): void => {
    const { instanceId, nowMs } = batch
    const ofInstance = { ...decided, instanceId, nowMs }
    if (isEmpty(decided.changes)) this.#judge(ofInstance)
    else this.#decided.set(`${batch.instanceId} ${batch.number}`, ofInstance)
  }

  /** Expects that an acknowledged result equals the committed one. */
  acknowledge({ type, input }: Command, answer: unknown): void {
    if (isTyped(answer, 'unavailable') || isTyped(answer, 'busy')) return
    if (type === 'extend' && isTyped(answer, 'refused')) return
    if (type === 'reserve' && isTyped(answer, 'reserved')) this.#admitted.add(input.holdId)
    const word = this.#words.get(input) ?? 'never committed'
    same({ type, input, answer: plain(answer) }, { type, input, answer: word })
  }

  /** Expects that an allotment which failed for its process is not granted, before or after. */
  reject({ type, input }: Command): void {
    if (type !== 'allot') return
    this.#rejected.add(input)
    same({ input, granted: this.#words.has(input) }, { input, granted: false })
  }

  addTo(tally: Pick<Tally, 'judged' | 'recovered' | 'allotted' | 'folded' | 'reclaimed'>): void {
    tally.judged += this.judged
    tally.recovered += this.recovered
    tally.allotted += this.allotted
    tally.folded += this.folded
    tally.reclaimed += this.reclaimed
  }

  /** Expects that every balance equals the model's and that the audit finds nothing. */
  compare(): void {
    const audit = new Audit()
    const rows = (name: TableName) => [...this.#database.tables.of(name).values()]
    for (const row of rows('hold')) audit.hold(decodeRow(holdTable, row))
    for (const row of rows('allotment')) audit.allotment(decodeRow(allotmentTable, row))
    for (const row of rows('entry')) audit.entry(decodeRow(entryTable, row))
    for (const row of rows('account')) {
      const account = decodeRow(accountTable, row)
      const { id, remaining, debt, used, reserved, exposed, isUnlimited, hasPaid } = account
      const expected = this.model.account(id)
      audit.account(account)
      same(
        { id, remaining, debt, used, reserved, exposed, isUnlimited, hasPaid },
        {
          id,
          remaining: positive(expected.has),
          debt: positive(-expected.has),
          used: expected.used,
          reserved: this.model.reserved(id),
          exposed: this.model.exposed(id),
          isUnlimited: expected.isUnlimited,
          hasPaid: expected.hasPaid,
        },
      )
    }
    expect(audit.report().findings).toEqual([])
    const prices = this.#database.tables.of('price')
    const named = [...rows('hold'), ...rows('entry')].map((row) => row['price_hash'] ?? null)
    expect(named.filter((hash) => hash !== null && !prices.has(String(hash)))).toEqual([])
    const open = [...this.#database.tables.of('hold').keys()]
    expect(open).toHaveLength(this.model.openHolds)
    // An admission that was never acknowledged must have been released.
    expect(open.filter((id) => !this.#admitted.has(id))).toEqual([])
  }

  #commit(batch: string): void {
    const decided = this.#decided.get(batch)
    if (!decided) return
    this.#decided.delete(batch)
    this.#judge(decided)
  }

  #judge({ commands, decisions, instanceId, nowMs }: JudgedBatch): void {
    for (const [index, command] of commands.entries()) {
      const outcome = plain(decisions[index]?.outcome)
      same({ command, outcome }, { command, outcome: plain(this.model.run(command, { instanceId, nowMs })) })
      this.#words.set(command.input, outcome)
      if (this.#rejected.has(command.input)) this.reject(command)
      this.judged++
      if (command.type === 'recover') this.recovered++
      if (command.type === 'reclaim') this.reclaimed++
      if (isTyped(outcome, 'allotted')) this.allotted++
      if (isTyped(outcome, 'folded')) this.folded++
    }
  }
}

type DecidedBatchOf = ModelContext & { readonly number: number }
type JudgedBatch = DecidedCommands & ModelContext

/** Result of an operation that returns nothing. */
const DONE = 'done'

/** Compares cheaply first, and uses `expect` only for a readable report of a difference. */
function same(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}

function plain(outcome: unknown): unknown {
  return outcome === undefined || isTyped(outcome, 'done') ? DONE : outcome
}

function isTyped(value: unknown, type: string): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === type
}

function isEmpty(changes: Changes): boolean {
  return Object.values(changes).every((list) => list.length === 0)
}
