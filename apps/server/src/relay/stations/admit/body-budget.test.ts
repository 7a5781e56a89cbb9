import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/problems/problem'
import { describe, expect, test } from 'vitest'
import { BodyBudget } from './body-budget.ts'

const MIB = 1024 * 1024
const limits = { bodyBytesMax: 32 * MIB, bodiesBytesMax: 256 * MIB, userBodiesBytesMax: 64 * MIB }
const budget = () => new BodyBudget(limits)

function refusalOf(work: () => void): Problem | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    invariant(error instanceof Problem, 'only problems are thrown')
    return error
  }
}

describe('BodyBudget', () => {
  test('a user may have 64 MiB in flight, and room returns when one of their calls ends', () => {
    const bodies = budget()
    const [first, second, third] = [bodies.lease(1), bodies.lease(1), bodies.lease(1)]
    first.take(32 * MIB)
    second.take(32 * MIB)
    const refused = refusalOf(() => third.take(1))
    expect(refused).toMatchObject({
      code: 'too_many_body_bytes',
      parameters: { seconds: expect.any(Number) },
    })
    expect(refused?.definition.status).toBe(429)
    bodies.lease(2).take(MIB)
    first.end()
    third.take(32 * MIB)
    expect(bodies.used).toBe(65 * MIB)
  })

  test('a process may have 256 MiB in flight, and large bodies leave a quarter of it to small ones', () => {
    const bodies = budget()
    for (let user = 1; user <= 6; user++) bodies.lease(user).take(32 * MIB)
    const refused = refusalOf(() => bodies.lease(7).take(2 * MIB))
    expect(refused?.code).toBe('gateway_bodies_full')
    expect(refused?.definition.status).toBe(503)
    for (let user = 10; user < 74; user++) bodies.lease(user).take(MIB)
    expect(bodies.used).toBe(256 * MIB)
    expect(refusalOf(() => bodies.lease(8).take(1))?.code).toBe('gateway_bodies_full')
  })

  test('one body of the permitted size always fits, however large that size is configured', () => {
    const bodies = new BodyBudget({ ...limits, bodyBytesMax: 512 * MIB })
    bodies.lease(1).take(512 * MIB)
    expect(bodies.used).toBe(512 * MIB)
  })

  test('a lease that ends twice returns its bytes once', () => {
    const bodies = budget()
    const [lease, other] = [bodies.lease(1), bodies.lease(1)]
    lease.take(MIB)
    other.take(MIB)
    lease.end()
    lease.end()
    lease.take(5)
    expect(bodies.used).toBe(MIB)
    other.give(MIB)
    other.end()
    expect(bodies.used).toBe(0)
  })

  test('users without a balance share a small part of the budget, until a call turns out to be free', () => {
    const bodies = budget()
    const lease = bodies.lease(1)
    lease.take(64 * 1024)
    lease.setStanding('none')
    lease.take(3 * MIB)
    expect(refusalOf(() => lease.take(MIB))?.code).toBe('too_many_body_bytes')
    for (let user = 2; user <= 9; user++) {
      const other = bodies.lease(user)
      other.setStanding('none')
      if (refusalOf(() => other.take(4 * MIB)) !== undefined) expect(user).toBe(9)
    }
    expect(bodies.used).toBeLessThanOrEqual(32 * MIB)
    lease.setStanding('small')
    lease.take(20 * MIB)
    lease.end()
    expect(bodies.used).toBe(28 * MIB)
  })

  test('users with a small balance have one large body each in flight, and half of the process together', () => {
    const bodies = budget()
    for (let user = 1; user <= 4; user++) {
      const lease = bodies.lease(user)
      lease.setStanding('small')
      lease.take(32 * MIB)
      const another = bodies.lease(user)
      expect(refusalOf(() => another.take(40 * MIB))?.code).toBe('too_many_body_bytes')
      expect(refusalOf(() => another.setStanding('small'))).toBeUndefined()
      expect(refusalOf(() => another.take(1))?.code).toBe('too_many_body_bytes')
    }
    const fifth = bodies.lease(5)
    fifth.setStanding('small')
    expect(refusalOf(() => fifth.take(MIB))?.code).toBe('gateway_bodies_full')
    bodies.lease(6).take(32 * MIB)
  })
})
