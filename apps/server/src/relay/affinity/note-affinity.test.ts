import { defaultChannelSettings } from '@tollgate/providers/channel-settings'
import { ManualClock } from '@tollgate/kit/clock'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { noUsage } from '@tollgate/dialects/usage'
import { expect, test } from 'vitest'
import { channelWith, heldWith, settingsWith } from '../../../test/relay/parts.ts'
import type { Outcome } from '../outcome.ts'
import { verdictOfProblem } from '../stations/attempt/verdict.ts'
import { openAffinity } from './affinity.ts'
import { bindingTo } from './binding.ts'
import { noteAffinity } from './note-affinity.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const site = { lifetimeMs: HOUR_MS, shortMs: 5 * MINUTE_MS, isMoved: true, entriesMax: 100_000, rules: [] }
const channel = channelWith({ id: 1, keys: ['a', 'b'] })
const other = channelWith({ id: 2, keys: ['a', 'b'] })
const choice = { channel, keyIndex: 1 }

function open() {
  const clock = new ManualClock()
  const affinity = openAffinity({ clock, ttlCache: (_name, options) => memoryTtlCache(options, clock) })
  const bindings = () => affinity.find('s', { groups: ['default'], model: 'gpt-4o' })
  /** Notes the outcome of an attempt of a call that was admitted now. */
  async function note(outcome: Outcome, to = choice, settings = site) {
    const found = { session: 's', bindings: await bindings() }
    const held = { ...heldWith({ affinity: found, settings: settingsWith({ affinity: settings }) }) }
    noteAffinity(held, to, { outcome, affinity })
    return (await bindings()).get('default')
  }
  return { clock, note, bindings, affinity }
}

function delivered(parts: Partial<Extract<Outcome, { type: 'delivered' }>> = {}): Outcome {
  return {
    type: 'delivered',
    ending: 'complete',
    channel,
    upstreamModel: 'm',
    reading: {
      usage: noUsage,
      finish: undefined,
      outputTokensCounted: 0,
      hasOutput: true,
      isComplete: true,
      error: undefined,
    },
    ...parts,
  }
}
const failed: Outcome = { type: 'failed', failure: verdictOfProblem('do_request_failed', {}) }

test('a session is bound for an hour from its last call, and five minutes where the cache is short', async () => {
  const { note, clock, bindings } = open()
  await note(delivered())
  clock.advance(HOUR_MS - 1)
  await note(delivered())
  clock.advance(HOUR_MS - 1)
  expect((await bindings()).get('default')).toEqual(bindingTo(choice, HOUR_MS))
  clock.advance(1)
  expect((await bindings()).size).toBe(0)
  await note(delivered({ hasShortCache: true }))
  clock.advance(5 * MINUTE_MS)
  expect((await bindings()).size).toBe(0)
})

test('a caller who wrote to the long cache keeps the longer time', async () => {
  const { note } = open()
  const reading = { usage: { ...noUsage, cacheWrite1h: 5 } }
  const first = delivered({ hasShortCache: true })
  if (first.type === 'delivered') Object.assign(first, { reading: { ...first.reading, ...reading } })
  expect((await note(first))?.lifetimeMs).toBe(HOUR_MS)
  expect((await note(delivered({ hasShortCache: true })))?.lifetimeMs).toBe(HOUR_MS)
  const moved = await note(delivered({ hasShortCache: true }), { channel: other, keyIndex: 0 })
  expect(moved).toEqual(bindingTo({ channel: other, keyIndex: 0 }, 5 * MINUTE_MS))
})

const lasting = (affinitySeconds: number) => ({
  channel: channelWith({ id: 1, settings: { ...defaultChannelSettings, affinitySeconds } }),
  keyIndex: 0,
})

test('a channel has a time of its own, and 0 binds nothing', async () => {
  const { note } = open()
  expect(await note(delivered({ hasShortCache: true }), lasting(0))).toBeUndefined()
  expect((await note(delivered({ hasShortCache: true }), lasting(7)))?.lifetimeMs).toBe(7_000)
})

test('a failure or a broken stream of the bound channel unbinds, that of another does not', async () => {
  const { note } = open()
  const binding = await note(delivered())
  expect(await note(failed, { channel: other, keyIndex: 1 })).toEqual(binding)
  expect(await note(failed, { channel, keyIndex: 0 })).toEqual(binding)
  expect(await note(failed)).toBeUndefined()
  await note(delivered())
  expect(await note(delivered({ ending: 'broken' }))).toBeUndefined()
})

test('a call that the caller made wrong leaves the session bound', async () => {
  const { note } = open()
  const binding = await note(delivered())
  const wrong: Outcome = {
    type: 'failed',
    failure: { ...verdictOfProblem('do_request_failed', {}), blame: 'caller' },
  }
  expect(await note(wrong)).toEqual(binding)
})

test('where sessions do not follow, the first binding stays until it ends', async () => {
  const { note } = open()
  const binding = await note(delivered())
  const staying = { ...site, isMoved: false }
  expect(await note(failed, choice, staying)).toEqual(binding)
  expect(await note(delivered(), { channel: other, keyIndex: 0 }, staying)).toEqual(binding)
})

test('no more than 100,000 sessions are remembered, those used last', async () => {
  const { affinity } = open()
  const place = { group: 'default', model: 'm' }
  for (let index = 0; index < 100_100; index++) affinity.bind(`s${index}`, place, bindingTo(choice, HOUR_MS))
  expect(await affinity.count()).toBe(100_000)
  expect((await affinity.find('s0', { groups: ['default'], model: 'm' })).size).toBe(0)
  expect(await affinity.clear()).toBe(100_000)
})
