import { setImmediate as nextTurn } from 'node:timers/promises'
import { vi } from 'vitest'
import type { Command } from '../../../src/core/command.ts'
import type { Ledger } from '../../../src/ledger.ts'
import { accountId } from '../../../src/account.ts'
import type { Dice } from '../faults.ts'
import { perform } from '../perform.ts'
import { randomCommand } from '../random-command.ts'
import { SimulatedDatabase } from './database.ts'
import { Judge } from './judge.ts'
import { ProcessCommands, isOfProcess } from './process-commands.ts'
import { type Node, startNode } from './node.ts'
import { simulatedStatements } from './statements.ts'
import type { Wire } from './wire.ts'
import { CALM_TURNS, COMMANDS, NODES, PEOPLE, SILENCE_MS, STEPS_MAX, type Tally } from './world-size.ts'

/** Simulates several gateways on one database. Seeded random numbers decide every step. */
export class World {
  readonly #dice: Dice
  readonly #tally: Tally
  readonly #database = new SimulatedDatabase()
  readonly #judge = new Judge(this.#database)
  readonly #statements: ReturnType<typeof simulatedStatements>
  readonly #nodes: Node[] = []
  readonly #wires = new Set<Wire>()
  readonly #departed: string[] = []
  readonly #processes = new ProcessCommands()
  readonly #sent: Command[] = []
  readonly #pauses: ((value: unknown) => void)[] = []
  readonly #waiting = new Set<Promise<unknown>>()
  #failure: unknown
  #born = 0
  #steps = 0
  #awayTurns = 0

  constructor(dice: Dice, tally: Tally) {
    this.#dice = dice
    this.#tally = tally
    this.#statements = simulatedStatements({ isPipelined: dice.chance(0.5) })
  }

  async run(): Promise<void> {
    while (this.#nodes.length < NODES) this.#enter()
    await this.#openAccounts()
    for (let sent = 0; sent < COMMANDS;) {
      if (this.#dice.chance(0.15)) sent += this.#submitSome()
      else await this.#oneStep()
    }
    await this.#calmDown()
    this.#judge.compare()
    this.#judge.addTo(this.#tally)
  }

  /** Creates all accounts before anything can fail. */
  async #openAccounts(): Promise<void> {
    const node = this.#dice.one(this.#nodes)
    for (let owner = 1; owner <= PEOPLE; owner++)
      for (const kind of ['user', 'token', 'affiliate'] as const) {
        const input = { key: `open-${kind}-${owner}`, account: accountId(kind, owner), amount: 2_000n }
        this.#submit(node, { type: 'credit', input })
      }
    await this.#settleAll()
  }

  #submitSome(): number {
    const node = this.#anyNode()
    if (!node || node.isPaused) return 0
    const count = 1 + this.#dice.below(4)
    for (let index = 0; index < count; index++) this.#submit(node, this.#command(node))
    return count
  }

  /**
   * Mostly a new command of the node; sometimes a repeated credit, or a settlement of a call of a node that
   * is gone.
   */
  #command(node: Node): Command {
    const before = this.#sent.length > 0 ? this.#dice.one(this.#sent) : undefined
    if (before?.type === 'credit' && this.#dice.chance(0.5)) return { ...before, input: { ...before.input } }
    if (this.#dice.chance(0.3)) return this.#processes.command(this.#dice, node.name)
    const [departed] = this.#departed
    if (departed === undefined || this.#dice.chance(0.7)) return randomCommand(this.#dice, node.town)
    const late = randomCommand(this.#dice, { ...node.town, name: this.#dice.one(this.#departed) })
    return late.type === 'settle' ? late : randomCommand(this.#dice, node.town)
  }

  #submit(node: Node, command: Command): void {
    this.#tally.commands++
    this.#sent.push(command)
    const answered = (isOfProcess(command) ? node.submit(command) : this.#perform(node, command)).then(
      (answer) => (node.isGone ? undefined : this.#judge.acknowledge(command, answer)),
      // The command broke a rule or the database was down; it may be repeated.
      () => (node.isGone ? undefined : this.#judge.reject(command)),
    )
    this.#track(node, answered)
  }

  async #perform(node: Node, command: Command): Promise<unknown> {
    return perform(await node.ledger, command)
  }

  /** A failed comparison of the judge fails the run. */
  #track(node: Node, work: Promise<unknown>): void {
    const watched: Promise<unknown> = work
      .catch((error: unknown) => (this.#failure ??= error))
      .finally(() => this.#waiting.delete(watched))
    this.#waiting.add(watched)
    this.#ofNode.set(watched, node.name)
  }
  readonly #ofNode = new Map<Promise<unknown>, string>()

  /** May return `undefined`, because nodes that are gone are not replaced while the database is down. */
  #anyNode(): Node | undefined {
    return this.#nodes[this.#dice.below(Math.max(1, this.#nodes.length))]
  }

  #enter(): void {
    const node = startNode({
      name: `n${++this.#born}`,
      database: this.#database,
      statements: this.#statements,
      onDecided: this.#judge.onDecided,
      isReachable: () => this.#awayTurns === 0,
      onConnect: (wire) => this.#wires.add(wire),
      pause: () => new Promise((resolve) => this.#pauses.push(resolve)),
    })
    this.#nodes.push(node)
    // A process that cannot start ends and is replaced.
    this.#track(
      node,
      node.ledger.catch(() => this.#remove(node)),
    )
  }

  /** Makes one random step: mostly the server executes a statement, occasionally something fails. */
  async #oneStep(): Promise<void> {
    const fate = this.#dice.below(1_000)
    if (fate < 12) this.#cutSomeWire()
    else if (fate < 16) this.#crash()
    else if (fate < 20) this.#pauseOrWake()
    else if (fate < 26) this.#failSomeStatement()
    else if (fate < 40) this.#rollUpSomewhere()
    else if (fate < 44) this.#passTime()
    else if (fate < 46) this.#restartDatabase()
    else this.#answerSomebody()
    await this.#turn()
  }

  async #turn(): Promise<void> {
    if (++this.#steps > STEPS_MAX) throw new Error('the world stands still')
    if (this.#awayTurns > 0) this.#awayTurns--
    while (this.#awayTurns === 0 && this.#nodes.length < NODES) this.#enter()
    if (this.#dice.chance(0.2)) this.#pauses.shift()?.(undefined)
    // The writer collects operations for one turn of the event loop.
    await nextTurn()
    await nextTurn()
    if (this.#failure) throw this.#failure
  }

  #answerSomebody(): boolean {
    const waiting = [...this.#wires].filter((wire) => wire.isWaiting && !this.#isPaused(wire))
    while (waiting.length > 0) {
      const [wire] = waiting.splice(this.#dice.below(waiting.length), 1)
      if (wire?.step()) return true
    }
    return false
  }

  /** Breaks every connection and refuses new ones for a while. */
  #restartDatabase(): void {
    if (this.#awayTurns > 0) return
    this.#tally.restarts++
    this.#awayTurns = 1 + this.#dice.below(200)
    for (const wire of this.#wires) if (wire.isUsable) this.#cut(wire)
  }

  #isPaused({ node, isUsable }: Wire): boolean {
    return isUsable && this.#nodes.some(({ name, isPaused }) => name === node && isPaused)
  }

  #cutSomeWire(): void {
    const sent = [...this.#wires].filter((wire) => wire.hasSent)
    const ending = sent.filter((wire) => wire.isEnding)
    const victims = ending.length > 0 && this.#dice.chance(0.7) ? ending : sent
    if (victims.length > 0) this.#cut(this.#dice.one(victims))
  }

  #cut(wire: Wire): void {
    const { underWay } = wire
    const reaching = this.#dice.chance(0.5) ? underWay : this.#dice.below(underWay + 1)
    this.#tally.cuts++
    if (wire.isEnding) this.#tally.unknownCommits++
    wire.cut(reaching)
  }

  /** Kills a node; statements that it had already sent may still arrive. */
  #crash(): void {
    const node = this.#anyNode()
    if (!node) return
    this.#tally.crashes++
    this.#remove(node)
  }

  #remove(node: Node): void {
    if (!this.#nodes.includes(node)) return
    this.#nodes.splice(this.#nodes.indexOf(node), 1)
    node.isGone = true
    this.#departed.push(node.name)
    this.#processes.leave(node.name)
    for (const wire of node.wires) this.#cut(wire)
    for (const [work, name] of this.#ofNode) if (name === node.name) this.#waiting.delete(work)
    this.#countRetries(node)
  }

  #countRetries({ ledger }: Node): void {
    const count = (known: Ledger): void => {
      const { retried = 0, confirmed = 0 } = known.health()
      this.#tally.retried += retried
      this.#tally.confirmed += confirmed
    }
    ledger.then(count, () => undefined)
  }

  /**
   * Suspends or wakes a node. While it is suspended, the server may end its silent transactions, and other
   * nodes may declare it dead.
   */
  #pauseOrWake(): void {
    const node = this.#anyNode()
    if (!node) return
    if (!node.isPaused) this.#tally.pauses++
    node.isPaused = !node.isPaused
    if (!node.isPaused) return
    if (this.#dice.chance(0.5)) return
    for (const wire of node.wires) this.#cut(wire)
    this.#passTime()
  }

  #failSomeStatement(): void {
    const inside = [...this.#wires].filter((wire) => wire.hasSent && wire.transaction)
    if (inside.length === 0) return
    this.#tally.busy++
    this.#dice.one(inside).fail()
  }

  #rollUpSomewhere(): void {
    const node = this.#anyNode()
    if (!node || node.isPaused) return
    this.#track(
      node,
      node.ledger.then((ledger) => ledger.rollUp()).catch(() => undefined),
    )
  }

  /**
   * Advances the time far enough for nodes to be declared dead; most of the nodes that are awake send a
   * heartbeat.
   */
  #passTime(): void {
    this.#database.nowMs += SILENCE_MS
    const instances = this.#database.tables.of('instance')
    for (const [id, row] of instances) {
      const isAwake = this.#nodes.some(({ name, isPaused }) => name === id && !isPaused)
      if (isAwake && this.#dice.chance(0.8)) instances.set(id, { ...row, heartbeat_ms: this.#database.nowMs })
    }
    vi.advanceTimersByTime(300)
  }

  /** Runs until every operation is answered and every delayed probe of the server has been sent. */
  async #settleAll(): Promise<void> {
    for (
      let calm = 0;
      calm < CALM_TURNS || this.#waiting.size > 0 || [...this.#wires].some((wire) => wire.isWaiting);
    ) {
      if (!this.#answerSomebody()) {
        calm++
        vi.advanceTimersByTime(300)
      }
      this.#pauses.shift()?.(undefined)
      await this.#turn()
    }
  }

  /** Stops all failures, lets every operation finish, and recovers the holds of dead nodes. */
  async #calmDown(): Promise<void> {
    this.#awayTurns = 0
    for (const node of this.#nodes) node.isPaused = false
    await this.#settleAll()
    this.#database.nowMs += SILENCE_MS
    for (let round = 0; round < 2; round++)
      for (const node of this.#nodes) {
        const rolledUp = node.ledger.then((ledger) => ledger.rollUp())
        this.#track(node, rolledUp)
        await this.#settleAll()
      }
    for (const node of this.#nodes) this.#countRetries(node)
    await nextTurn()
  }
}
