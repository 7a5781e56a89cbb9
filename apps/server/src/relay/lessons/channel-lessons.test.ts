import { memoryNotices } from '@tollgate/coordination/memory-notices'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { EVERYTHING } from '@tollgate/coordination/notices'
import { ManualClock } from '@tollgate/kit/clock'
import { beforeEach, expect, it } from 'vitest'
import { ChannelLessons } from './channel-lessons.ts'
import { LESSONS_PER_CHANNEL_MAX } from './kept-lessons.ts'

const channel = { id: 7, baseUrl: 'http://vendor.test' }
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const DAY_MS = 24 * 60 * 60 * 1000

let clock: ManualClock
/** Two processes that share a store and notices. */
let here: ChannelLessons
let elsewhere: ChannelLessons

beforeEach(async () => {
  clock = new ManualClock()
  const shelves = new Map<string, ReturnType<typeof memoryTtlCache>>()
  const notices = memoryNotices({ onFailure: (error) => expect.fail(String(error)) })
  const deps = {
    clock,
    log,
    notices,
    ttlCache: (name: string, options: Parameters<typeof memoryTtlCache>[0]) => {
      const ttlCache = shelves.get(name) ?? memoryTtlCache(options, clock)
      shelves.set(name, ttlCache)
      return ttlCache
    },
  }
  here = new ChannelLessons(deps)
  elsewhere = new ChannelLessons(deps)
  await here.list(channel)
  await elsewhere.list(channel)
})

it('a lesson applies only to its model, in every process', async () => {
  await here.keep(channel, 'm', 'refuses:top_p')
  expect(here.inForce(channel, 'm')).toEqual(['refuses:top_p'])
  expect(elsewhere.inForce(channel, 'm')).toEqual(['refuses:top_p'])
  expect(here.inForce(channel, 'other')).toEqual([])
  expect(here.inForce({ ...channel, id: 8 }, 'm')).toEqual([])
})

it('a lesson about a missing endpoint applies to every model', async () => {
  await here.keep(channel, 'm', 'responses:false')
  expect(elsewhere.inForce(channel, 'other')).toEqual(['responses:false'])
})

it('lessons of two processes are kept together, each once', async () => {
  await here.keep(channel, 'm', 'refuses:top_p')
  await elsewhere.keep(channel, 'm', 'joined_texts:true')
  await here.keep(channel, 'm', 'refuses:top_p')
  expect(here.inForce(channel, 'm').toSorted()).toEqual(['joined_texts:true', 'refuses:top_p'])
  expect(elsewhere.inForce(channel, 'm')).toHaveLength(2)
})

it('a lesson expires after a day', async () => {
  await here.keep(channel, 'm', 'refuses:top_p')
  clock.advance(DAY_MS)
  expect(here.inForce(channel, 'm')).toEqual([])
  expect(await elsewhere.list(channel)).toEqual([])
})

it('a lesson applies only to the address at which it was learned', async () => {
  await here.keep(channel, 'm', 'refuses:top_p')
  expect(here.inForce({ ...channel, baseUrl: 'http://another.test' }, 'm')).toEqual([])
})

it('a reset deletes a channel’s lessons in every process', async () => {
  await here.keep(channel, 'm', 'refuses:top_p')
  await elsewhere.forget(channel.id)
  expect(here.inForce(channel, 'm')).toEqual([])
  expect(await here.list(channel)).toEqual([])
})

it('the number of lessons per channel and the length of model names are bounded', async () => {
  for (let at = 0; at <= LESSONS_PER_CHANNEL_MAX; at++) await here.keep(channel, `m${at}`, 'refuses:top_p')
  await here.keep(channel, 'x'.repeat(256), 'refuses:top_p')
  const kept = await here.list(channel)
  expect(kept).toHaveLength(LESSONS_PER_CHANNEL_MAX)
  expect(kept.map(({ model }) => model)).not.toContain('m0')
})

it('lessons stored by another version are read as far as they are known', async () => {
  const notices = memoryNotices({ onFailure: () => undefined })
  const ttlCache = memoryTtlCache(
    { lifetimeMs: DAY_MS, entriesMax: 9, bytesMax: 9999, valueBytesMax: 9999 },
    clock,
  )
  const lessons = new ChannelLessons({ clock, log, notices, ttlCache: () => ttlCache })
  const learnedMs = clock.nowMs()
  const odd = [
    { model: 'm', name: 'drops:tools', learnedMs },
    null,
    { model: 'm', name: 'joined_texts:true', learnedMs },
  ]
  ttlCache.put('7', JSON.stringify({ address: channel.baseUrl, lessons: odd }))
  ttlCache.put('8', 'no JSON')
  expect(await lessons.list(channel)).toEqual([odd[2]])
  expect(await lessons.list({ ...channel, id: 8 })).toEqual([])
  await notices.tell({ entity: EVERYTHING })
  expect(lessons.inForce(channel, 'm')).toEqual(['joined_texts:true'])
})
