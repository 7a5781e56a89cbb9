import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { childProgram } from '@tollgate/testkit/child-program'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Command } from '../src/core/command.ts'
import { accountId } from '../src/account.ts'
import { AcknowledgementLog } from './support/acknowledged.ts'
import { Dice, isLong, seedOfRun, shortOrLong } from './support/faults.ts'
import { type Node, type Town, fallSilent, openTown, servers } from './support/nodes.ts'

const KILLS = shortOrLong(4, 100)
const ACKNOWLEDGED_MIN = shortOrLong(500, 20_000)
const NODES = 3
const CHILD = childProgram(new URL('support/load-child.ts', import.meta.url))

const userAccount = accountId('user', 1)
const numbered = (length: number, prefix: string) =>
  Array.from({ length }, (_, index) => `${prefix}-${index}`)
const reserve = (holdId: string): Command => {
  return { type: 'reserve', input: { holdId, userAccount, amount: 100n, ceiling: 100n, priceJson: '{}' } }
}
const settle = (holdId: string): Command => {
  return { type: 'settle', input: { holdId, amount: 40n, flags: [], usageJson: '' } }
}

/** Tests gateways that die or are suspended while others continue on the same database. */
describe.each(servers)('node failures on $label', (server) => {
  let town: Town
  let judge: Node

  beforeEach(async () => {
    town = await openTown(server)
    judge = await town.enter('judge')
  })
  afterEach(async () => {
    expect((await judge.ledger.audit()).findings).toEqual([])
    await town.leave()
  })

  it(
    `no acknowledged operation is lost when one of ${NODES} nodes is killed with kill -9 under load, at least ${KILLS} times`,
    { timeout: 1_800_000 },
    async () => {
      const log = new AcknowledgementLog()
      const dice = new Dice(seedOfRun())
      const recovered = (): number => judge.ledger.health().recovered
      const isEnough = (): boolean => log.count >= ACKNOWLEDGED_MIN && recovered() > 0
      let kills = 0
      while (kills === 0 || (!isEnough() && kills < KILLS * 10)) {
        await killUnderLoad({ dsn: town.database.dsn, firstRound: kills, dice, log })
        kills += KILLS + NODES
        await judge.store.db
          .updateTable('instance')
          .set({ heartbeat_ms: 0 })
          .where('id', '<>', 'judge')
          .execute()
        await judge.ledger.rollUp()
      }
      expect(await log.differences(judge.store)).toEqual([])
      expect(await judge.ledger.gauges()).toMatchObject({ openHolds: 0 })
      console.log(
        `${server.label}: ${kills} kills, ${log.count} acknowledged, ${recovered()} recovered, 0 lost, 0 wrong`,
      )
      expect(isEnough()).toBe(true)
    },
  )

  it('a suspended node settles late after waking, and creates its next holds under a new instance id', async () => {
    await judge.ledger.credit({ key: 'gift:new:1', account: userAccount, amount: 100_000n })
    const sleeper = await town.start('sleeper')
    const ids = numbered(60, 'call')
    await sleeper.perform(ids.map(reserve))
    const ends = sleeper.perform(ids.map(settle))
    const more = sleeper.perform(numbered(40, 'more').map(reserve))
    await sleep(5)
    sleeper.pause()
    if (isLong) await sleep(40_000)
    else await fallSilent(judge.store, 'sleeper')
    await expect
      .poll(() => judge.ledger.rollUp().then(() => judge.ledger.gauges()), { timeout: 60_000 })
      .toMatchObject({ openHolds: 0 })
    sleeper.wake()
    for (const answer of await ends) expect(answer).toMatchObject({ charged: 40n, waived: 0n })
    const admitted = (await more).filter((answer) => JSON.stringify(answer) === '{"type":"reserved"}').length
    expect(admitted).toBe(40)
    const state = await judge.store.db
      .selectFrom('instance')
      .select('state')
      .where('id', '=', 'sleeper')
      .execute()
    expect(state).toEqual([{ state: 'dead' }])
    expect(await judge.ledger.balance(userAccount)).toMatchObject({ used: 2_400n })
    await judge.ledger.rollUp()
    expect((await judge.ledger.audit()).findings).toEqual([])
  })
})

interface Load {
  readonly dsn: string
  /** Call names start with the round of their process, so that they are unique. */
  readonly firstRound: number
  readonly dice: Dice
  readonly log: AcknowledgementLog
}

/** Kills one node after another and replaces each with a new one; kills all of them at the end. */
async function killUnderLoad({ dsn, firstRound, dice, log }: Load): Promise<void> {
  const start = (round: number): LoadedNode => new LoadedNode(dsn, firstRound + round, log)
  const crowd = Array.from({ length: NODES }, (_, round) => start(round))
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      await Promise.all(crowd.map((node) => node.isAtWork))
      await sleep(20 + dice.below(300))
      const [victim] = crowd.splice(dice.below(NODES), 1, start(NODES + kill))
      await victim?.kill()
    }
  } finally {
    await Promise.all(crowd.map((node) => node.kill()))
  }
}

/** A process under load whose acknowledgements are collected. */
class LoadedNode {
  readonly isAtWork: Promise<unknown>
  readonly #child: ChildProcessByStdio<null, Readable, null>
  readonly #end: Promise<unknown>

  constructor(dsn: string, round: number, log: AcknowledgementLog) {
    this.#child = spawn(process.execPath, [CHILD, dsn, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.isAtWork = once(this.#child.stdout, 'data')
    this.#end = once(this.#child.stdout, 'close')
    let last = ''
    this.#child.stdout.on('data', (chunk: Buffer) => {
      const lines = (last + chunk.toString('latin1')).split('\n')
      // An incomplete line was never acknowledged.
      last = lines.pop() ?? ''
      for (const line of lines) log.add(line)
    })
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
    await this.#end
    expect(this.#child.signalCode).toBe('SIGKILL')
  }
}
