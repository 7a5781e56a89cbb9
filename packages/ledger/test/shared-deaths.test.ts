import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { childProgram } from '@tollgate/testkit/child-program'
import { ManualClock } from '@tollgate/kit/clock'
import { answeringServers } from '@tollgate/testkit/databases'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import type { ReserveInput } from '../src/inputs.ts'
import { AcknowledgementLog } from './support/acknowledged.ts'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import { type SharedLedgers, type SharedNode, openSharedLedgers } from './support/shared-ledgers.ts'

const KILLS = shortOrLong(2, 100)
const NODES = 2
const CHILD = childProgram(new URL('support/load-child.ts', import.meta.url))
const servers = await answeringServers()
const userAccount = accountId('user', 1)
const poorAccount = accountId('user', 2)

function call(holdId: string, more: Partial<ReserveInput> = {}): ReserveInput {
  return { holdId, userAccount, amount: 100n, ceiling: 200n, priceJson: samplePriceJson, ...more }
}
function end(holdId: string, amount: bigint) {
  return { holdId, amount, flags: [], usageJson: '', log: sampleLog(holdId) }
}

/** Nodes with journals that die, are suspended, or lose the database. */
describe.each(servers)('nodes that share quota over $label', (server) => {
  let shared: SharedLedgers
  let judge: SharedNode

  beforeEach(async () => {
    shared = await openSharedLedgers(server)
    judge = await shared.enter('judge')
    await judge.ledger.credit({ key: 'topup:1', account: userAccount, amount: 100_000n })
  })
  afterEach(async () => {
    await judge.ledger.caughtUp()
    expect((await judge.ledger.audit()).findings).toEqual([])
    await shared.close()
  })

  /** Declares nodes dead whose heartbeat is too old, recovers their holds and returns their allotments. */
  async function declareDead(...names: readonly string[]): Promise<void> {
    const { db } = judge.store
    const ofNames = () => db.selectFrom('instance').select('state').where('id', 'in', names).execute()
    // A live node may send a heartbeat in between.
    for (
      let states = await ofNames();
      states.some(({ state }) => state === 'alive');
      states = await ofNames()
    ) {
      await db.updateTable('instance').set({ heartbeat_ms: 0 }).where('id', 'in', names).execute()
      await judge.ledger.rollUp()
    }
  }
  const entriesOf = (holdId: string) =>
    judge.store.db
      .selectFrom('entry')
      .select(['kind', 'amount', 'flags'])
      .where('request_id', '=', holdId)
      .orderBy('id')
      .execute()

  it(
    `lose no answer that was acknowledged when they are killed under load, ${KILLS} times`,
    { timeout: 1_800_000 },
    async () => {
      const log = new AcknowledgementLog()
      const dice = new Dice(seedOfRun())
      const start = (round: number) => loadedProcess([shared.database.dsn, String(round), shared.folder], log)
      const crowd = Array.from({ length: NODES }, (_, round) => start(round))
      for (let kill = 0; kill < KILLS; kill++) {
        await Promise.all(crowd.map(({ isAtWork }) => isAtWork))
        await sleep(100 + dice.below(400))
        await crowd.splice(dice.below(NODES), 1, start(NODES + kill))[0]?.kill()
      }
      await Promise.all(crowd.map(({ kill }) => kill()))
      const names = Array.from({ length: NODES + KILLS }, (_, round) => `load-${round}`)
      await declareDead(...names)
      await shared.enter('heir')
      const flagged = judge.store.db.selectFrom('entry').select('id').where('flags', 'like', '%recovered%')
      const recovered = (await flagged.execute()).length
      expect(await log.differences(judge.store)).toEqual([])
      expect(
        await judge.store.db.selectFrom('allotment').selectAll().where('instance_id', 'in', names).execute(),
      ).toEqual([])
      console.log(
        `${server.label}: ${KILLS + NODES} kills, ${log.count} acknowledged, ${recovered} recovered, 0 lost`,
      )
      expect(log.count).toBeGreaterThan(KILLS * 20)
    },
  )

  it('end the calls of an instance that was declared dead late, and admit new ones as another instance', async () => {
    const sleeper = await shared.enter('sleeper', { isApart: true })
    for (const holdId of ['charged', 'released', 'open'])
      expect(await sleeper.ledger.reserve(call(holdId))).toEqual({ type: 'reserved' })
    expect(sleeper.ledger.isHeld('charged')).toBe(true)
    await declareDead('sleeper')
    // It learns that from the reply to its first command.
    expect(await sleeper.ledger.reserve(call('next', { isShared: true }))).toEqual({ type: 'reserved' })
    expect(sleeper.ledger.isHeld('charged')).toBe(false)
    expect(await sleeper.ledger.reserve(call('new'))).toEqual({ type: 'reserved' })
    expect(await sleeper.ledger.extend({ holdId: 'charged', amount: 10n })).toEqual({ type: 'refused' })
    expect(await sleeper.ledger.settle(end('charged', 150n))).toEqual({
      charged: 150n,
      waived: 0n,
      late: false,
    })
    await sleeper.ledger.release({ holdId: 'released' })
    expect(await sleeper.ledger.settle(end('new', 30n))).toMatchObject({ charged: 30n })
    await sleeper.ledger.settle(end('open', 40n))
    await sleeper.ledger.release({ holdId: 'next' })
    await sleeper.ledger.caughtUp()
    expect(await entriesOf('charged')).toEqual([{ kind: 'consume', amount: 150n, flags: 'late' }])
    expect(await entriesOf('new')).toEqual([{ kind: 'consume', amount: 30n, flags: '' }])
    expect(await entriesOf('released')).toEqual([])
    expect(await sleeper.ledger.balance(userAccount)).toMatchObject({
      used: 220n,
      remaining: 99_780n,
      debt: 0n,
    })
    expect(sleeper.alarms).toMatchObject([{ type: 'operation_failed' }])
  })

  it('correct what another process charged for their calls meanwhile', async () => {
    const sleeper = await shared.enter('sleeper')
    await sleeper.ledger.reserve(call('slow'))
    await sleeper.ledger.checkpoint({ holdId: 'slow', amount: 20n })
    await sleeper.ledger.reserve(call('ended'))
    await sleeper.ledger.settle(end('ended', 7n))
    await declareDead('sleeper')
    const heir = await shared.enter('heir')
    await expect.poll(() => heir.ledger.health().recovered + judge.ledger.health().recovered).toBe(1)
    expect(await entriesOf('slow')).toEqual([{ kind: 'consume', amount: 20n, flags: 'recovered' }])
    expect(await entriesOf('ended')).toMatchObject([{ kind: 'consume', amount: 7n }])
    await sleeper.ledger.settle(end('slow', 90n))
    await sleeper.ledger.caughtUp()
    await expect
      .poll(() => entriesOf('slow'))
      .toEqual([
        { kind: 'consume', amount: 20n, flags: 'recovered' },
        { kind: 'correction', amount: 70n, flags: 'late' },
      ])
    expect(await heir.ledger.balance(userAccount)).toMatchObject({ used: 97n, remaining: 99_903n })
  })

  describe('without the database', () => {
    let proxy: TcpProxy
    let away: SharedNode
    const clock = new ManualClock()

    beforeEach(async () => {
      const url = new URL(shared.database.dsn)
      proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) })
      url.host = `${proxy.host}:${proxy.port}`
      away = await shared.enter('away', { clock, dsn: url.href })
      await judge.ledger.credit({ key: 'topup:2', account: poorAccount, amount: 1_000n })
      await away.ledger.reserve(call('poor', { userAccount: poorAccount }))
      await away.ledger.release({ holdId: 'poor' })
      await away.ledger.reserve(call('first'))
      await away.ledger.release({ holdId: 'first' })
      await away.ledger.caughtUp()
      await proxy.goDown()
    })
    afterEach(async () => {
      await proxy.comeBack()
      // Without its database it would close only after ten seconds.
      await away.leave()
      await proxy.close()
    })

    it('go on within their allotments until these or their lease end', async () => {
      expect(await away.ledger.reserve(call('inside'))).toEqual({ type: 'reserved' })
      await away.ledger.settle(end('inside', 60n))
      const unknown = call('unknown', { userAccount: accountId('user', 3) })
      const tooLarge = call('outside', { amount: 90_000n, ceiling: 90_000n })
      const answers = await Promise.all([unknown, tooLarge].map((asked) => away.ledger.reserve(asked)))
      expect(answers).toEqual([{ type: 'unavailable' }, { type: 'unavailable' }])
      expect(await away.ledger.reserve(call('held'))).toEqual({ type: 'reserved' })
      clock.advance(20_000)
      expect(await away.ledger.reserve(call('expired'))).toEqual({ type: 'unavailable' })
      expect(away.ledger.isHeld('held')).toBe(false)
      await away.ledger.release({ holdId: 'held' })
      await proxy.comeBack()
      await expect.poll(() => away.ledger.reserve(call('back'))).toEqual({ type: 'reserved' })
      await away.ledger.release({ holdId: 'back' })
      await away.ledger.caughtUp()
      expect(await entriesOf('inside')).toMatchObject([{ amount: 60n }])
    })

    it('overdraw a balance at most by what they were granted and the ceilings of their calls', async () => {
      const poor = (holdId: string) => call(holdId, { userAccount: poorAccount })
      const row = await judge.store.db
        .selectFrom('allotment')
        .select('amount')
        .where('instance_id', '=', 'away')
        .where('account_id', '=', poorAccount)
        .executeTakeFirstOrThrow()
      let charged = 0n
      let calls = 0
      for (; (await away.ledger.reserve(poor(`poor-${calls}`))).type === 'reserved'; calls++)
        charged += (await away.ledger.settle(end(`poor-${calls}`, 200n))).charged
      expect(calls).toBeGreaterThan(0)
      await declareDead('away')
      // Whoever is still connected spends all that remains.
      const all = call('all', { userAccount: poorAccount, amount: 1_000n, ceiling: 1_000n })
      expect(await judge.ledger.reserve(all)).toEqual({ type: 'reserved' })
      await judge.ledger.settle(end('all', 1_000n))
      await judge.ledger.caughtUp()
      await proxy.comeBack()
      await expect.poll(async () => (await judge.ledger.balance(poorAccount))?.used).toBe(1_000n + charged)
      const { debt } = (await judge.ledger.balance(poorAccount)) ?? {}
      expect(debt).toBe(charged)
      // The last call was held by what was left, and cost its ceiling.
      expect(charged).toBeLessThanOrEqual(row.amount + 100n)
    })

    it('go on after another call of the user asked in vain for more', async () => {
      const unknown = call('unknown', { tokenAccount: accountId('token', 2) })
      // The first call to need the database finds out that it is away.
      expect(await away.ledger.reserve(unknown)).toEqual({ type: 'unavailable' })
      expect(away.ledger.health().queued).toBe(0)
      expect(await away.ledger.reserve(call('inside'))).toEqual({ type: 'reserved' })
      await away.ledger.settle(end('inside', 60n))
      await proxy.comeBack()
      await away.ledger.caughtUp()
    })
  })
})

interface LoadedProcess {
  readonly isAtWork: Promise<unknown>
  readonly kill: () => Promise<void>
}

function loadedProcess(parameters: readonly string[], log: AcknowledgementLog): LoadedProcess {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, [CHILD, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const isAtWork = once(child.stdout, 'data')
  const isOver = once(child.stdout, 'close')
  let last = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (last + chunk.toString('latin1')).split('\n')
    // An incomplete line was never acknowledged.
    last = lines.pop() ?? ''
    for (const line of lines) log.add(line)
  })
  return {
    isAtWork,
    kill: async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await isOver
      expect(child.signalCode).toBe('SIGKILL')
    },
  }
}
