import { array, assert, boolean, double, integer, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { channelWith } from '../../../../test/relay/parts.ts'
import { drawChannel, type Draw } from './draw.ts'

const channel = (id: number, weight = 0) => channelWith({ id, weight })

function draw(parts: Partial<Draw>) {
  return drawChannel({
    tiers: [],
    attempt: 0,
    isTried: () => false,
    isResting: () => false,
    isFit: () => true,
    random: () => 0,
    ...parts,
  })?.id
}

const tiers = [[channel(1), channel(2)], [channel(3)], [channel(4)]]

test('each attempt starts one tier lower, and further attempts stay at the last tier', () => {
  expect([0, 1, 2, 3].map((attempt) => draw({ tiers, attempt }))).toEqual([1, 3, 4, 4])
})

test('a tried channel is never drawn again: lower tiers follow, then higher ones', () => {
  const tried = new Set([3])
  const isTried = (id: number) => tried.has(id)
  expect(draw({ tiers, attempt: 1, isTried })).toBe(4)
  tried.add(4)
  expect(draw({ tiers, attempt: 2, isTried })).toBe(1)
  tried.add(1)
  expect(draw({ tiers, attempt: 3, isTried })).toBe(2)
  tried.add(2)
  expect(draw({ tiers, attempt: 4, isTried })).toBeUndefined()
})

const isResting = ({ id }: { id: number }) => id <= 2

test('a channel in cool-down is drawn only when no other is left in any tier', () => {
  expect(draw({ tiers, isResting })).toBe(3)
  expect(draw({ tiers: [[channel(1)]], isResting })).toBe(1)
})

test('a channel that does not support the operation is not drawn', () => {
  expect(draw({ tiers, isFit: ({ id }) => id === 4 })).toBe(4)
  expect(draw({ tiers, isFit: () => false })).toBeUndefined()
})

test('probability is proportional to weight, and weight 0 has a share too', () => {
  const tier = [channel(1, 20), channel(2, 0), channel(3, 50)]
  const counts = new Map<number, number>()
  for (let i = 0; i < 1000; i++) {
    const id = draw({ tiers: [tier], random: () => i / 1000 }) ?? 0
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  expect([...counts]).toEqual([
    [1, 300],
    [2, 100],
    [3, 600],
  ])
})

test('a candidate is drawn as long as one is left, and only then', () => {
  const arbitraryTiers = array(array(nat(30), { maxLength: 5 }), { maxLength: 5 })
  const draws = property(
    arbitraryTiers,
    nat(8),
    double({ min: 0, max: 0.999, noNaN: true }),
    array(nat(30)),
    (ids, attempt, chance, triedIds) => {
      const all = ids.map((tier) => tier.map((id) => channel(id)))
      const tried = new Set(triedIds)
      const id = draw({ tiers: all, attempt, random: () => chance, isTried: (each) => tried.has(each) })
      const left = ids.flat().filter((each) => !tried.has(each))
      expect(id === undefined ? left.length === 0 : left.includes(id)).toBe(true)
    },
  )
  assert(draws)
})

const flags = record({
  tier: integer({ min: 0, max: 2 }),
  tried: boolean(),
  resting: boolean(),
  unfit: boolean(),
})

test('a bound channel is taken from the tier of the draw, and never brings back what routing excludes', () => {
  let taken = 0
  let lost = 0
  assert(
    property(
      array(flags, { minLength: 1, maxLength: 8 }),
      nat({ max: 3 }),
      nat({ max: 8 }),
      double({ min: 0, max: 0.999, noNaN: true }),
      (states, attempt, boundId, chance) => {
        const of = (id: number) => states[id - 1]
        const inTier = (place: number) =>
          states.flatMap(({ tier }, index) => (tier === place ? [channel(index + 1, index)] : []))
        const free = {
          tiers: [0, 1, 2].map(inTier).filter((tier) => tier.length > 0),
          attempt,
          isTried: (id: number) => of(id)?.tried === true,
          isResting: ({ id }: { id: number }) => of(id)?.resting === true,
          isFit: ({ id }: { id: number }) => of(id)?.unfit === false,
          random: () => chance,
        }
        const without = draw(free)
        const with_ = draw({ ...free, isBound: ({ id }) => id === boundId })
        if (without === undefined || with_ === undefined) {
          expect(with_).toBe(without)
          return
        }
        expect(of(with_)?.tier).toBe(of(without)?.tier)
        expect(of(with_)).toMatchObject({ tried: false, unfit: false, resting: of(without)?.resting })
        const bound = of(boundId)
        const isUsable =
          bound && !bound.tried && !bound.unfit && !bound.resting && bound.tier === of(without)?.tier
        expect(with_).toBe(isUsable ? boundId : without)
        if (isUsable) taken++
        else lost++
      },
    ),
    { numRuns: 2_000 },
  )
  expect(Math.min(taken, lost)).toBeGreaterThan(50)
})
