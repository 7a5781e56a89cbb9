import { expect, test } from 'vitest'
import { LEFT_CALLS_MAX, LEFT_CALLS_OF_USER, LeftCalls } from './left-calls.ts'

function leaveAll(calls: LeftCalls, users: readonly number[], ofUserMax: number = LEFT_CALLS_OF_USER.paid) {
  const displaced: number[] = []
  const followed = users.map((userId, index) =>
    calls.add({ userId, ofUserMax, displace: () => void displaced.push(index) }),
  )
  return { displaced, followed }
}

const times = (count: number, userId: number): number[] => Array.from({ length: count }, () => userId)

test('the ninth call that a user leaves displaces the oldest, and one of another user does not', () => {
  const { displaced } = leaveAll(new LeftCalls(), [...times(8, 1), 2, 1, 1])
  expect(displaced).toEqual([0, 1])
})

test('a user who has never paid keeps two', () => {
  const { displaced } = leaveAll(new LeftCalls(), times(4, 1), LEFT_CALLS_OF_USER.unpaid)
  expect(displaced).toEqual([0, 1])
})

test('a call that has ended makes room', () => {
  const calls = new LeftCalls()
  const { displaced, followed } = leaveAll(calls, times(8, 1))
  followed[3]?.end()
  followed[3]?.end()
  const later = leaveAll(calls, [1])
  expect([displaced, later.displaced, calls.size]).toEqual([[], [], 8])
})

test('a process follows 256 calls, whoever left them', () => {
  const calls = new LeftCalls()
  const users = Array.from({ length: LEFT_CALLS_MAX + 2 }, (_, index) => index)
  const { displaced, followed } = leaveAll(calls, users)
  expect([displaced, calls.size]).toEqual([[0, 1], LEFT_CALLS_MAX])
  for (const call of followed) call.end()
  expect(calls.size).toBe(0)
})

test('a call that ends while it is displaced is removed once', () => {
  const calls = new LeftCalls()
  const followed: { end: () => void }[] = []
  for (let index = 0; index < 10; index++) {
    followed.push(calls.add({ userId: 1, ofUserMax: 8, displace: () => followed[index]?.end() }))
  }
  expect(calls.size).toBe(8)
})
