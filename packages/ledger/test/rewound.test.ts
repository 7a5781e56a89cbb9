import { expect, it } from 'vitest'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import { JournalLoad, chargesIn, fillUsers } from './support/journal-load.ts'
import { type Gateway, type JournalPlace, removedPlaces, turns } from './support/journal-place.ts'

const ROUNDS = shortOrLong(3, 40)

const newPlace = removedPlaces()

async function expectCharged(
  { store, ledger }: Gateway,
  charged: ReadonlyMap<string, { readonly amount: bigint }>,
): Promise<void> {
  await ledger.caughtUp?.()
  const found = await chargesIn(store)
  const wrong = [...charged].filter(
    ([id, { amount }]) => found.get(id)?.amount !== amount || found.get(id)?.flags.includes('recovered'),
  )
  expect(wrong).toEqual([])
  expect(await ledger.audit()).toMatchObject({ findings: [], holds: 0 })
}

it.each(['stopped', 'killed'])(
  'a database set back while calls ran gets their charges from the journal again, %s',
  async (end) => {
    const dice = new Dice(seedOfRun())
    let calls = 0
    for (let round = 0; round < ROUNDS; round++) {
      const before = newPlace()
      const gateway = await before.open()
      await fillUsers(gateway.ledger)
      const load = new JournalLoad(gateway.ledger, { dice })
      await turns(50 + dice.below(300))
      const restored = newPlace()
      before.copyDatabase(restored)
      await turns(50 + dice.below(300))
      await load.end()
      await (end === 'stopped' ? gateway.stop() : gateway.die())
      before.copyJournal(restored)

      const next = await restored.open()
      await expectCharged(next, load.charged)
      const more = new JournalLoad(next.ledger, { dice, mark: 'more' })
      await turns(50)
      await more.end()
      await expectCharged(next, more.charged)
      calls += load.charged.size
      await next.stop()
    }
    console.log(`${ROUNDS} databases set back under ${calls} calls, every call charged once`)
    expect(calls).toBeGreaterThan(ROUNDS * 50)
  },
  1_800_000,
)

it('a copy that was made under load and has no journal is consistent, and its open calls cost nothing', async () => {
  const dice = new Dice(seedOfRun())
  const before = newPlace()
  const gateway = await before.open()
  await fillUsers(gateway.ledger)
  const load = new JournalLoad(gateway.ledger, { dice })
  const copies: { place: JournalPlace; folded: number }[] = []
  for (let copy = 0; copy < ROUNDS; copy++) {
    await turns(20 + dice.below(100))
    await gateway.ledger.caughtUp?.()
    const place = newPlace()
    before.copyDatabase(place)
    copies.push({ place, folded: load.charged.size })
  }
  await load.end()
  await gateway.stop()
  for (const { place, folded } of copies) {
    const copied = await place.open()
    expect(await copied.ledger.audit()).toMatchObject({ findings: [], holds: 0 })
    expect((await chargesIn(copied.store)).size).toBeGreaterThan(folded - 50)
    await copied.stop()
  }
})

it('two gateways whose databases share a journal folder fold only their own calls', async () => {
  const dice = new Dice(seedOfRun())
  const [one, other] = [newPlace(), newPlace()]
  const folder = one.journalFolder
  const open = (place: JournalPlace) => place.open({ folder })
  const [first, second] = [await open(one), await open(other)]
  await fillUsers(first.ledger)
  await fillUsers(second.ledger)
  const loads = [
    new JournalLoad(first.ledger, { dice, mark: 'first' }),
    new JournalLoad(second.ledger, { dice, mark: 'second' }),
  ]
  await turns(200)
  await Promise.all(loads.map((load) => load.end()))
  await first.die()
  await second.die()
  for (const [index, place] of [one, other].entries()) {
    const again = await open(place)
    const own = loads[index]?.charged ?? new Map()
    await expectCharged(again, own)
    expect((await chargesIn(again.store)).size).toBe(own.size)
    expect(again.alarms.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(
        /^left alone in .*-1\.journal, of another database; start the gateway of that database once/,
      ),
    ])
    await again.die()
  }
})
