import { expect, test } from 'vitest'
import { memoryNotices } from './memory-notices.ts'
import type { Notice } from './notices.ts'

const ignore = () => undefined

test('publish resolves when every listener has handled the notice', async () => {
  const notices = memoryNotices({ onFailure: ignore })
  const received: string[] = []
  notices.subscribe(async ({ entity }) => {
    await Promise.resolve()
    received.push(`slow ${entity}`)
  })
  notices.subscribe(({ entity, id }) => void received.push(`fast ${entity} ${id}`))
  await notices.publish({ entity: 'channel', id: 7 })
  expect(received.sort()).toEqual(['fast channel 7', 'slow channel'])
})

test('a listener that throws or rejects is reported and affects neither the publisher nor other listeners', async () => {
  const failures: [unknown, Notice][] = []
  const notices = memoryNotices({ onFailure: (error, notice) => failures.push([error, notice]) })
  let received = 0
  notices.subscribe(() => {
    throw new Error('thrown')
  })
  notices.subscribe(() => Promise.reject(new Error('rejected')))
  notices.subscribe(() => void (received += 1))
  await notices.publish({ entity: 'option' })
  expect(received).toBe(1)
  expect(failures).toEqual([
    [new Error('thrown'), { entity: 'option' }],
    [new Error('rejected'), { entity: 'option' }],
  ])
})

test('ending a subscription leaves others alone, even when the same function subscribed twice', async () => {
  const notices = memoryNotices({ onFailure: ignore })
  let received = 0
  const listener = () => void (received += 1)
  const end = notices.subscribe(listener)
  notices.subscribe(listener)
  end()
  await notices.publish({ entity: 'token' })
  expect(received).toBe(1)
})

test('a listener may subscribe or unsubscribe while it handles a notice', async () => {
  const notices = memoryNotices({ onFailure: ignore })
  let late = 0
  const end = notices.subscribe(() => {
    end()
    notices.subscribe(() => void (late += 1))
  })
  await notices.publish({ entity: 'user' })
  expect(late).toBe(0)
  await notices.publish({ entity: 'user' })
  expect(late).toBe(1)
})
