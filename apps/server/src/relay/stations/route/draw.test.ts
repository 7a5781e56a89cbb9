import { array, assert, double, nat, property } from 'fast-check'
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
