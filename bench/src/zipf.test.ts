import { describe, expect, it } from 'vitest'
import { zipfDraws } from './zipf.ts'

describe('Zipf draws', () => {
  const draws = zipfDraws({ users: 1000, count: 200_000 })
  const share = (user: number) => draws.filter((drawn) => drawn === user).length / draws.length
  const harmonic = Array.from({ length: 1000 }, (_, user) => 1 / (user + 1)).reduce((a, b) => a + b, 0)

  it.each([0, 1, 9, 99])('draw user %i in proportion to the rank', (user) => {
    expect(share(user) * harmonic * (user + 1)).toBeCloseTo(1, 0.7)
  })

  it('stay within the users and reach nearly all of them', () => {
    expect(Math.max(...draws.subarray(0, 50_000))).toBeLessThan(1000)
    expect(new Set(draws).size).toBeGreaterThan(990)
  })

  it('are the same in every run', () => {
    expect(zipfDraws({ users: 50, count: 20 })).toEqual(zipfDraws({ users: 50, count: 20 }))
  })

  it('of a single user are that user', () => {
    expect([...zipfDraws({ users: 1, count: 3 })]).toEqual([0, 0, 0])
  })
})
