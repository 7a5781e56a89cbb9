import { openHub } from '@tollgate/coordination/hub'
import { hubCoordination } from '@tollgate/coordination/hub-coordination'
import type { Coordination } from '@tollgate/coordination/coordination'
import { ManualClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { joinHub } from './implementations.ts'

/** Tests of processes on one machine without Redis. */

const MINUTE_MS = 60_000

function openMembers(count: number) {
  const hub = openHub(new ManualClock())
  return Array.from({ length: count }, () => {
    const { near, leave } = joinHub(hub)
    const coordination = hubCoordination({ calls: near, onFailure: () => undefined })
    return { coordination, leave, received: listen(coordination) }
  })
}

function listen({ notices }: Coordination): string[] {
  const received: string[] = []
  notices.subscribe(async ({ entity, id }) => {
    await Promise.resolve()
    received.push(`${entity} ${id}`)
  })
  return received
}

test('publish resolves when every process has handled the notice', async () => {
  const members = openMembers(3)
  await members[1]?.coordination.notices.publish({ entity: 'token', id: 7 })
  expect(members.map(({ received }) => received)).toEqual([['token 7'], ['token 7'], ['token 7']])
  await members[0]?.coordination.notices.tell({ entity: 'option', id: 'alone' })
  expect(members.map(({ received }) => received.length)).toEqual([2, 1, 1])
})

test('publish does not wait for a process that left the hub', async () => {
  const [first, second] = openMembers(2)
  second?.leave()
  await first?.coordination.notices.publish({ entity: 'token', id: 7 })
  expect(second?.received).toEqual([])
})

test('processes share a limit of the same name, and a one-time value is taken once by any of them', async () => {
  const [first, second] = openMembers(2).map(({ coordination }) => coordination)
  const options = { limit: 3, windowMs: MINUTE_MS }
  const [here, there] = [first?.limiter('api', options), second?.limiter('api', options)]
  const asked = await Promise.all(
    [1, 2, 3].map(async () => [await here?.consume('a'), await there?.consume('a')]),
  )
  expect(asked.flat().filter((decision) => decision?.allowed)).toHaveLength(3)
  expect(await second?.limiter('web', options).consume('a')).toMatchObject({ allowed: true })
  await first?.oneTime.put('state', 'value', MINUTE_MS)
  expect(await second?.oneTime.take('state')).toBe('value')
  expect(await first?.oneTime.take('state')).toBeUndefined()
})
