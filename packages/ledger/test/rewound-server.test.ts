import { setTimeout as sleep } from 'node:timers/promises'
import { answeringServers } from '@tollgate/testkit/databases'
import { describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import { JournalLoad, USERS, chargesIn, fillUsers } from './support/journal-load.ts'
import { keepState } from './support/set-back.ts'
import { type SharedNode, openSharedLedgers } from './support/shared-ledgers.ts'

const ROUNDS = shortOrLong(1, 20)
const servers = await answeringServers()

const TOP_UP = 10n ** 9n

/** Compares all charges of the loads with the books, which other calls do not charge. */
async function expectAllCharged(judge: SharedNode, loads: readonly JournalLoad[]): Promise<void> {
  const charged = new Map(loads.flatMap((load) => [...load.charged]))
  const found = await chargesIn(judge.store)
  const wrong = [...charged].filter(([id, { amount }]) => found.get(id)?.amount !== amount)
  expect(wrong).toEqual([])
  expect(found.size).toBe(charged.size)
}

/** Once all allotments were returned, everything that was not used remains. */
async function expectAllReturned(judge: SharedNode, loads: readonly JournalLoad[]): Promise<void> {
  const { db } = judge.store
  await db.updateTable('instance').set({ heartbeat_ms: 0 }).where('id', '!=', judge.name).execute()
  await judge.ledger.rollUp()
  const balances = await Promise.all(
    Array.from({ length: USERS }, (_, owner) => judge.ledger.balance(accountId('user', 1 + owner))),
  )
  for (const balance of balances) {
    const used = balance?.used ?? 0n
    expect(balance).toMatchObject({ remaining: TOP_UP - used, debt: 0n })
  }
  const charges = loads.flatMap((load) => [...load.charged.values()])
  expect(balances.reduce((sum, balance) => sum + (balance?.used ?? 0n), 0n)).toBe(
    charges.reduce((sum, { amount }) => sum + amount, 0n),
  )
  expect((await judge.ledger.audit()).findings).toEqual([])
}

/** As a failover to a standby that had not received the last transactions. */
describe.each(servers)('$label, set back to an earlier state while nodes use it,', (server) => {
  it.each(['before the nodes had entered', 'while they had calls'])(
    'to a state from %s: it gets all charges from their journals again',
    async (moment) => {
      const dice = new Dice(seedOfRun())
      let calls = 0
      let continued = 0
      for (let round = 0; round < ROUNDS; round++) {
        const shared = await openSharedLedgers(server)
        const judge = await shared.enter('judge')
        await fillUsers(judge.ledger)
        await judge.ledger.caughtUp()
        const early = moment.startsWith('before') ? await keepState(server, shared.database.dsn) : undefined
        const nodes = [await shared.enter('a'), await shared.enter('b')]
        const load = (mark: string) =>
          nodes.map(
            ({ name, ledger }) =>
              new JournalLoad(ledger, { dice, mark: `${mark}-${name}`, isInterrupted: true, pauseMs: 5 }),
          )
        const loads = load('before')
        await sleep(200 + dice.below(300))
        const state = early ?? (await keepState(server, shared.database.dsn))
        await sleep(200 + dice.below(300))
        await state.setBack()
        await sleep(500)
        await Promise.all(loads.map((load) => load.end()))
        for (const { ledger } of nodes) await ledger.caughtUp()
        await expectAllCharged(judge, loads)

        const more = load('after')
        await sleep(200)
        await Promise.all(more.map((load) => load.end()))
        for (const { ledger } of nodes) await ledger.caughtUp()
        await expectAllCharged(judge, [...loads, ...more])
        for (const { leave } of nodes) await leave()
        await expectAllReturned(judge, [...loads, ...more])
        for (const { alarms } of nodes)
          continued += alarms.filter(({ detail }) => detail.includes('continues under a new id')).length
        calls += [...loads, ...more].reduce((sum, { charged }) => sum + charged.size, 0)
        await state.drop()
        await shared.close()
      }
      console.log(
        `${server.label}: set back ${ROUNDS} times under ${calls} calls, every call charged once, ${continued} new ids`,
      )
      expect(calls).toBeGreaterThan(ROUNDS * 100)
      if (moment.startsWith('before')) expect(continued).toBeGreaterThanOrEqual(ROUNDS)
    },
    1_800_000,
  )
})
