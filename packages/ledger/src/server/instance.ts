import { setTimeout as sleep } from 'node:timers/promises'
import { randomToken } from '@tollgate/kit/ids'
import { StoreError } from '@tollgate/store/database/errors'
import type { QueryAnswer, ServerConnection } from '@tollgate/store/server/connection'
import type { ServerAccess } from '@tollgate/store/server/open-server-store'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import type { CommandContext, Command } from '../core/command.ts'
import type { Changes } from '../core/state.ts'
import type { ReenterReason } from '../core/storage.ts'
import type { AccountId } from '../account.ts'
import { type DecidedCommands, DeclaredDead, MoreAccounts, runBatch } from './batch.ts'
import type { LoadedSource } from './loaded-source.ts'
import type { Lease } from './lease.ts'
import type { Statement, Statements } from './statements.ts'

/**
 * When the event loop of a node is blocked for longer than `silentTransactionMs`, the server rolls its
 * transaction back, and the node retries it.
 */
const CONNECTION = {
  statementMs: 5_000,
  silentTransactionMs: 3_000,
  silentConnectionMs: 20_000,
  lockMs: 2_000,
  connectMs: 2_000,
  isPipelined: true,
  isKeyed: true,
}
const TRIES_MAX = 8
const PAUSE_MS_MAX = 40
const RECOVERED_AT_ONCE = 500
const KNOWN_PRICES_MAX = 4_096

/** A batch that was decided and may have been committed, but whose reply was lost. */
interface Unresolved extends DecidedCommands {
  readonly number: number
}

export interface InstanceParts {
  readonly server: ServerAccess
  readonly statements: Statements
  /** Renewed by every heartbeat that the database has. */
  readonly lease?: Lease
  /** Waits before a batch is retried; replaceable in tests. */
  readonly pause?: (ms: number) => Promise<unknown>
  /**
   * Called when a batch was decided. The decision takes effect when the transaction with this number commits.
   */
  readonly onDecided?: (
    decided: DecidedCommands,
    batch: { instanceId: string; number: number; nowMs: number },
  ) => void
}

/**
 * This process as one of the ledger's writers: its instance id and its only connection for writing. Every
 * batch stores its number together with its changes, so that after a lost connection the database shows
 * whether it was committed. Not safe for concurrent use.
 */
export class Instance {
  readonly #server: ServerAccess
  readonly #statements: Statements
  readonly #pause: (ms: number) => Promise<unknown>
  readonly #onDecided: NonNullable<InstanceParts['onDecided']>
  readonly #lease: Lease | undefined
  #onReentered: (instanceId: string, reason: ReenterReason) => void = () => undefined
  /** Accounts of the holds that this instance created, so that they can be locked without a lookup. */
  readonly #accountsOfHolds = new Map<string, readonly AccountId[]>()
  #connection: ServerConnection | undefined
  /** Of this connection only: another one may lead to a database that was set back. */
  readonly #knownPrices = new Set<string>()
  #id = ''
  #number = 0
  #unresolved: Unresolved | undefined
  #retried = 0
  #confirmed = 0

  constructor({ server, statements, lease, pause = sleep, onDecided = () => undefined }: InstanceParts) {
    this.#lease = lease
    this.#server = server
    this.#statements = statements
    this.#pause = pause
    this.#onDecided = onDecided
  }

  /** Batches that were retried: after a deadlock, a lost connection or a conflict with another node. */
  get retried(): number {
    return this.#retried
  }

  /** Batches whose reply was lost but which had been committed. */
  get confirmed(): number {
    return this.#confirmed
  }

  async enter({ instanceId, nowMs }: CommandContext): Promise<void> {
    const sent = this.#lease?.now()
    await this.ask(this.#statements.enter, [instanceId, nowMs])
    this.#id = instanceId
    if (sent) this.#lease?.confirm(sent)
  }

  /** See {@link import('../core/storage.ts').Heartbeat}. */
  onReentered(listener: (instanceId: string, reason: ReenterReason) => void): void {
    this.#onReentered = listener
  }

  async leave(): Promise<void> {
    await this.ask(this.#statements.leave, [this.#id])
    await this.#connection?.close()
    this.#connection = undefined
  }

  /** Writes a heartbeat. */
  async beat(nowMs: number): Promise<void> {
    const sent = this.#lease?.now()
    const { changes } = await this.ask(this.#statements.note, [++this.#number, this.#id])
    if (changes !== 1n) await this.enterAnew(nowMs, 'declared-dead')
    else if (sent) this.#lease?.confirm(sent)
  }

  /**
   * Registers under a new id. If others have declared this instance dead, they have already started to recover its
   * holds; this one helps to finish that before it continues, so that no hold is both settled and recovered.
   */
  async enterAnew(nowMs: number, reason: ReenterReason): Promise<void> {
    const instanceId = randomToken(12)
    await this.enter({ instanceId, nowMs })
    this.#onReentered(instanceId, reason)
    for (let last: Orphan | undefined = FIRST; last;) {
      const holds: readonly Orphan[] = await this.orphans(last.holdId)
      if (holds.length > 0) await this.recover(holds, nowMs)
      last = holds.at(-1)
    }
  }

  /**
   * Runs the commands in one transaction and retries as needed. Rejects with `unreachable` when there is no
   * connection; {@link resume} then finds out whether the commands were carried out.
   */
  async transact(
    commands: readonly Command[],
    nowMs: number,
    touched: readonly AccountId[] = [],
  ): Promise<DecidedCommands> {
    const accounts = new Set([...touched, ...commands.flatMap((command) => this.#knownAccounts(command))])
    for (let tries = 1; ; tries++)
      try {
        return await this.#attempt({ commands, accounts, nowMs })
      } catch (error) {
        if (tries === TRIES_MAX) throw error
        const survived = await this.#comeBack(error, { accounts, nowMs })
        if (survived) return survived
      }
  }

  /** Whether this command was in a batch that may have been committed although its reply was lost. */
  isInDoubt(command: Command): boolean {
    return this.#unresolved?.commands.includes(command) ?? false
  }

  /**
   * Returns the outcome of the last batch if its reply was lost but it was committed; otherwise `undefined`.
   */
  async resume(): Promise<DecidedCommands | undefined> {
    const unresolved = this.#unresolved
    if (!unresolved) return undefined
    const { rows } = await this.ask(this.#statements.lastBatch, [this.#id])
    this.#unresolved = undefined
    if (Number(rows[0]?.[0] ?? 0) < unresolved.number) return undefined
    this.#confirmed++
    this.#remember(unresolved.changes)
    return unresolved
  }

  /** Recovers those of the given holds that are still open; returns how many. */
  async recover(holds: readonly Orphan[], nowMs: number): Promise<number> {
    const commands = holds.map(({ holdId }) => ({ type: 'recover' as const, input: { holdId } }))
    const accounts = holds.flatMap((hold) => hold.accounts)
    return (await this.transact(commands, nowMs, accounts)).commands.length
  }

  /** Returns some allotments of instances that are not alive to their accounts; resolves to their number. */
  async reclaim(nowMs: number): Promise<number> {
    const { rows } = await this.ask(this.#statements.orphanedAllotments, [RECOVERED_AT_ONCE])
    if (rows.length === 0) return 0
    const commands = rows.map(([instanceId, account]) => ({
      type: 'reclaim' as const,
      input: { instanceId: String(instanceId), accounts: [Number(account)] },
    }))
    await this.transact(commands, nowMs)
    return rows.length
  }

  /** The next holds after this id whose instance is not alive, in id order; empty at the end. */
  async orphans(afterId: string): Promise<readonly Orphan[]> {
    const { rows } = await this.ask(this.#statements.orphanedHolds, [afterId, RECOVERED_AT_ONCE])
    return rows.map(([id, ...accounts]) => ({
      holdId: String(id),
      accounts: accounts.flatMap((account) => (account === null ? [] : [Number(account)])),
    }))
  }

  async #attempt({ commands, accounts, nowMs }: Attempt): Promise<DecidedCommands> {
    const number = ++this.#number
    this.#unresolved = undefined
    const sent = this.#lease?.now()
    const decided = await runBatch({
      connection: await this.#connect(),
      statements: this.#statements,
      number,
      commands,
      accounts,
      circumstances: { nowMs, instanceId: this.#id },
      knownPrices: this.#knownPrices,
      stillWanted,
      onDecided: (outcome) => {
        this.#unresolved = { number, ...outcome }
        this.#onDecided(outcome, { instanceId: this.#id, number, nowMs })
      },
    })
    this.#unresolved = undefined
    this.#remember(decided.changes)
    // Without changes the transaction was rolled back, and the heartbeat with it.
    if (sent && decided.hasWritten) this.#lease?.confirm(sent)
    return decided
  }

  /**
   * Prepares a retry, or throws when a retry is pointless. Returns the outcome if the failed attempt turns
   * out to have been committed.
   */
  async #comeBack(
    error: unknown,
    { accounts, nowMs }: Pick<Attempt, 'accounts' | 'nowMs'>,
  ): Promise<DecidedCommands | undefined> {
    if (error instanceof StoreError && error.kind === 'unreachable') {
      this.#retried++
      return this.resume()
    }
    this.#unresolved = undefined
    if (error instanceof MoreAccounts) for (const account of error.accounts) accounts.add(account)
    else if (error instanceof DeclaredDead) await this.enterAnew(nowMs, 'declared-dead')
    else await this.#waitForOthers(error)
    return undefined
  }

  /** Waits briefly when another node holds the locks, or was first to insert the same key or account. */
  async #waitForOthers(error: unknown): Promise<void> {
    const isBusy = error instanceof StoreError && error.kind === 'busy'
    if (!isBusy && !isUniqueViolation(error)) throw error
    this.#retried++
    await this.#pause(Math.random() * PAUSE_MS_MAX)
  }

  async ask({ sql, name }: Statement, parameters: readonly unknown[]): Promise<QueryAnswer> {
    const connection = await this.#connect()
    return connection.query(sql, parameters, { name })
  }

  async #connect(): Promise<ServerConnection> {
    if (this.#connection?.isUsable) return this.#connection
    this.#connection = await this.#server.connect(CONNECTION)
    this.#knownPrices.clear()
    return this.#connection
  }

  #knownAccounts({ input }: Command): readonly AccountId[] {
    return 'holdId' in input ? (this.#accountsOfHolds.get(input.holdId) ?? []) : []
  }

  #remember({ newHolds, endedHolds, prices }: Changes): void {
    if (this.#knownPrices.size >= KNOWN_PRICES_MAX) this.#knownPrices.clear()
    for (const json of prices) this.#knownPrices.add(json)
    for (const id of endedHolds) this.#accountsOfHolds.delete(id)
    for (const { id, userAccount, tokenAccount } of newHolds)
      this.#accountsOfHolds.set(id, tokenAccount === undefined ? [userAccount] : [userAccount, tokenAccount])
  }
}

/** An open hold whose instance is not alive. */
export interface Orphan {
  readonly holdId: string
  readonly accounts: readonly AccountId[]
}

/** Sorts before every hold; the start of paging. */
export const FIRST: Orphan = { holdId: '', accounts: [] }

interface Attempt {
  readonly commands: readonly Command[]
  readonly accounts: Set<AccountId>
  readonly nowMs: number
}

/** Two nodes may recover the same hold; the second one skips it. */
function stillWanted({ type, input }: Command, source: LoadedSource): boolean {
  return type !== 'recover' || source.hold(input.holdId) !== undefined
}
