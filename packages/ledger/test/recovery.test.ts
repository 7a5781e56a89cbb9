import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import { type Node, type Town, fallSilent, openTown, servers } from './support/nodes.ts'

/** More holds than one transaction recovers. */
const HOLDS = 1_300
const BAD = [3, 640, 1_299]
const USERS = 40

/** Recovery of a dead gateway that left many holds open. */
describe.each(servers)('recovery on $label', (server) => {
  let town: Town
  let judge: Node

  beforeEach(async () => {
    town = await openTown(server)
    judge = await town.enter('judge')
    for (let owner = 1; owner <= USERS; owner++)
      await judge.ledger.credit({
        key: `gift:new:${owner}`,
        account: accountId('user', owner),
        amount: 10_000n,
      })
    await leaveHolds(await town.enter('dead'))
  })
  afterEach(() => town.leave())

  it(`ends ${HOLDS} holds, each charged at its checkpoint`, async () => {
    await fallSilent(judge.store, 'dead')
    await judge.ledger.rollUp()
    expect(judge.ledger.health()).toMatchObject({ recovered: HOLDS, retried: 0 })
    const { findings, holds, totals } = await judge.ledger.audit()
    expect({ findings, holds, used: totals.used }).toEqual({
      findings: [],
      holds: 0,
      used: BigInt(HOLDS) * 7n,
    })
  })

  it('ends all other holds when some holds cannot be ended', async () => {
    const raise = (by: bigint) =>
      judge.store.db
        .updateTable('hold')
        .set((eb) => ({ amount: eb('amount', '+', by), ceiling: eb('ceiling', '+', by) }))
        .where('id', 'in', BAD.map(callId))
        .execute()
    await raise(99_999n)
    // Marked dead only now, because the judge's own timer also recovers dead nodes.
    await fallSilent(judge.store, 'dead')
    const both = await Promise.allSettled([judge.ledger.rollUp(), judge.ledger.rollUp()])
    expect(both.map((one) => one.status === 'rejected' && String(one.reason))).toEqual([
      expect.stringContaining('cannot be recovered'),
      expect.stringContaining('cannot be recovered'),
    ])
    expect(judge.ledger.health()).toMatchObject({ recovered: HOLDS - BAD.length })
    await raise(-99_999n)
    await judge.ledger.rollUp()
    expect(judge.ledger.health()).toMatchObject({ recovered: HOLDS })
    expect((await judge.ledger.audit()).findings).toEqual([])
  })
})

const callId = (number: number): string => `call-${String(number).padStart(5, '0')}`

async function leaveHolds({ ledger, die }: Node): Promise<void> {
  const call = { amount: 100n, ceiling: 100n, priceJson: '{}' }
  for (let first = 0; first < HOLDS; first += 100)
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const holdId = callId(first + index)
        await ledger.reserve({ ...call, holdId, userAccount: accountId('user', 1 + (index % USERS)) })
        await ledger.checkpoint({ holdId, amount: 7n })
      }),
    )
  await die()
}
