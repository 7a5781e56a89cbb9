import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { redisCoordination } from '@tollgate/coordination/redis-coordination'
import { systemClock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import { Secret } from '@tollgate/kit/secret'
import { answeringRedis } from '@tollgate/testkit/redis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPrefixCacheUpstream, type PrefixCacheUpstream } from './prefix-cache-upstream.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import type { RelayHarnessOptions } from './relay-harness-options.ts'
import { isLong, openRandom } from './random.ts'

/** Sessions stay on the channel and key whose cache has their prompts. */

const CHANNELS = 3
const KEYS = 5
const SESSIONS = isLong ? 100 : 30
const TURNS = 20
/** Longer than one turn of all sessions, shorter than two: a prompt is cached where the turn before went. */
const FORGOTTEN_AFTER = SESSIONS * 1.5
const BLOCK = 512
const FIRST_BLOCKS = 32

const redis = await answeringRedis()
const harnesses: RelayHarness[] = []
let upstream: PrefixCacheUpstream

beforeEach(async () => {
  upstream = await openPrefixCacheUpstream(FORGOTTEN_AFTER)
})
afterEach(async () => {
  await Promise.all(harnesses.splice(0).map((harness) => harness.close()))
  await upstream.close()
})

interface Node {
  readonly harness: RelayHarness
  readonly bearer: string
}

async function openNode(options: RelayHarnessOptions = {}): Promise<Node> {
  const random = openRandom(7)
  const harness = await openRelayHarness({ ...options, random: () => random.next() })
  harnesses.push(harness)
  for (let channel = 0; channel < CHANNELS; channel++) {
    const keys = Array.from({ length: KEYS }, (_, key) => `key-${channel}-${key}`)
    await harness.addChannel(upstream.url, { name: `channel ${channel}`, key: keys.join('\n') })
  }
  const { bearer } = await harness.addCaller({ quota: 10_000_000_000n })
  return { harness, bearer }
}

/** The prompt of a session grows by one block in each turn. */
function promptOf(session: number, turn: number): string {
  const text = `session ${session} `
  return text.padEnd((FIRST_BLOCKS + turn) * BLOCK, `${session} and a long conversation; `)
}

interface Run {
  readonly nodes: readonly Node[]
  readonly sessions?: number
  readonly turns?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Ten sessions at a time, turn by turn; turn n goes to node n modulo the number of nodes. */
async function converse({ nodes, sessions = SESSIONS, turns = TURNS, headers = {} }: Run): Promise<void> {
  for (let turn = 0; turn < turns; turn++)
    for (let first = 0; first < sessions; first += 10)
      await Promise.all(
        Array.from({ length: Math.min(10, sessions - first) }, (_, index) => first + index).map(
          async (session) => {
            const node = nodes[(turn + session) % nodes.length]
            invariant(node !== undefined, 'there is a node')
            const { status } = await node.harness.send({
              bearer: node.bearer,
              headers: { 'x-session-id': `session-${session}`, ...headers },
              body: { model: 'gpt-4o', messages: [{ role: 'user', content: promptOf(session, turn) }] },
            })
            expect(status).toBe(200)
          },
        ),
      )
  await Promise.all(nodes.map(({ harness }) => harness.quiet()))
}

function cachedShare({ tokens }: PrefixCacheUpstream): number {
  return tokens.cached / tokens.input
}

interface LoggedCall {
  readonly other: string
}

function resultOf({ other }: LoggedCall): string {
  const { affinity = 'none' }: { affinity?: string } = JSON.parse(other)
  return affinity
}

/** The channel and the key of the last attempt. */
function keyOf({ other }: LoggedCall): { channel: number; key: number } | undefined {
  const { admin_info: info }: { admin_info: { attempts: { channel: number; key: number }[] } } =
    JSON.parse(other)
  return info.attempts.at(-1)
}

/** The rule that bound a call, and the session that it names. */
function ruleOf({ other }: LoggedCall): { affinity_rule?: string; affinity_session?: string } {
  const { admin_info: info }: { admin_info: object } = JSON.parse(other)
  return info
}

async function resultsOf({ harness }: Node): Promise<Record<string, number>> {
  const rows = await harness.logs()
  const counts: Record<string, number> = {}
  for (const result of rows.map(resultOf)) counts[result] = (counts[result] ?? 0) + 1
  return counts
}

test('at least nine tenths of the input is cached, and a fifteenth without affinity', async () => {
  const bound = await openNode()
  await converse({ nodes: [bound] })
  const share = cachedShare(upstream)
  expect(await resultsOf(bound)).toEqual({ new: SESSIONS, bound: SESSIONS * (TURNS - 1) })
  upstream.reset()
  const free = await openNode()
  await converse({ nodes: [free], turns: 6, headers: { 'x-tollgate-affinity': 'off' } })
  expect(await resultsOf(free)).toEqual({ none: SESSIONS * 6 })
  const freeShare = cachedShare(upstream)
  process.stdout.write(`cached share: ${share.toFixed(3)} with affinity, ${freeShare.toFixed(3)} without\n`)
  expect(share).toBeGreaterThanOrEqual(0.9)
  expect(freeShare).toBeLessThan(0.15)
})

test('affinity does not change what a token costs', async () => {
  const node = await openNode()
  await converse({ nodes: [node], sessions: 4, turns: 3 })
  const { db } = node.harness
  const rows = await db.selectFrom('logs').selectAll().execute()
  for (const row of rows) {
    const cached = row.cached_tokens ?? 0
    const units = (row.prompt_tokens - cached) * 1.25 + cached * 0.625 + row.completion_tokens * 5
    expect(Number(row.quota)).toBe(Math.round(units))
  }
  expect(rows).toHaveLength(12)
})

test('a session moves when its key fails, and stays where it was served', async () => {
  const node = await openNode()
  await converse({ nodes: [node], sessions: 1, turns: 2 })
  const [first] = (await node.harness.logs()).map(keyOf)
  invariant(first !== undefined, 'a call was logged')
  upstream.refused.add(`Bearer key-${first.channel - 1}-${first.key}`)
  await node.harness.setOption('RetryTimes', '2')
  await converse({ nodes: [node], sessions: 1, turns: 3 })
  const rows = (await node.harness.logs()).slice(2)
  expect(rows.map(resultOf)).toEqual(['moved', 'bound', 'bound'])
  expect(new Set(rows.map(({ channel_id: id }) => id)).size).toBe(1)
  expect(rows[0]?.channel_id).not.toBe(first.channel)
})

test.each([
  [
    'a short prompt without marks is not bound',
    { body: { messages: [{ role: 'user', content: 'hi' }] } },
    'none',
  ],
  [
    'a short prompt with a cache mark is bound',
    {
      body: {
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] },
        ],
      },
    },
    'new',
  ],
  [
    'a call without a session is not bound',
    { body: { messages: [{ role: 'user', content: promptOf(1, 1) }] }, headers: {} },
    'none',
  ],
])(
  '%s',
  async (_name, { headers = { 'x-session-id': 's' }, body }: { headers?: object; body: object }, result) => {
    const { harness, bearer } = await openNode()
    await harness.send({ bearer, headers: { ...headers }, body: { model: 'gpt-4o', ...body } })
    await harness.quiet()
    expect((await harness.logs()).map(resultOf)).toEqual([result])
  },
)

test('two owners who name the same session are bound apart', async () => {
  const node = await openNode()
  const other = await node.harness.addCaller({ quota: 10_000_000_000n })
  await converse({ nodes: [node], sessions: 1, turns: 1 })
  await converse({ nodes: [{ ...node, bearer: other.bearer }], sessions: 1, turns: 1 })
  expect(await resultsOf(node)).toEqual({ new: 2 })
})

test('a rule of the site binds calls by a value of their body, and keeps them on a channel that fails', async () => {
  const node = await openNode()
  const { harness, bearer } = node
  const source = { type: 'gjson', path: 'metadata.project' }
  const rule = { name: 'project', model_regex: ['^gpt-'], key_sources: [source], skip_retry_on_failure: true }
  await harness.setOption('channel_affinity_setting.rules', JSON.stringify([rule]))
  await harness.setOption('RetryTimes', '2')
  const ask = async (project: string, session: string) => {
    const { status } = await harness.send({
      bearer,
      headers: { 'x-session-id': session },
      body: {
        model: 'gpt-4o',
        metadata: { project },
        messages: [{ role: 'user', content: promptOf(1, 1) }],
      },
    })
    await harness.quiet()
    return status
  }
  expect(await ask('blue', 'one')).toBe(200)
  expect(await ask('blue', 'two')).toBe(200)
  expect(await ask('red', 'one')).toBe(200)
  const rows = await harness.logs()
  expect(rows.map(resultOf)).toEqual(['new', 'bound', 'new'])
  const ruled = rows.map(ruleOf)
  expect(ruled.map(({ affinity_rule: name }) => name)).toEqual(['project', 'project', 'project'])
  expect(ruled[0]?.affinity_session).toBe(ruled[1]?.affinity_session)
  expect(ruled[2]?.affinity_session).not.toBe(ruled[0]?.affinity_session)
  expect(rows.map(({ session }) => session)).not.toContain(ruled[0]?.affinity_session)
  const [first] = rows.map(keyOf)
  invariant(first !== undefined, 'a call was logged')
  upstream.refused.add(`Bearer key-${first.channel - 1}-${first.key}`)
  expect(await ask('blue', 'three')).toBeGreaterThanOrEqual(400)
  expect(await ask('blue', 'four')).toBe(200)
})

test('a site can switch affinity off', async () => {
  const node = await openNode()
  await node.harness.setOption('channel_affinity_setting.enabled', 'false')
  await converse({ nodes: [node], sessions: 1, turns: 2 })
  expect(await resultsOf(node)).toEqual({ none: 2 })
})

describe.skipIf(!redis)('two nodes over Redis', () => {
  test('keep each session on one channel and key', async () => {
    const { host, port } = redis ?? { host: '', port: 0 }
    const url = new Secret(`redis://${host}:${port}`)
    const prefix = `tollgate-test:${randomUUID()}:`
    const options = { url, prefix, clock: systemClock, onFailure: fail, onChange: () => undefined }
    const shared = await Promise.all([redisCoordination(options), redisCoordination(options)])
    const nodes: Node[] = []
    for (const { ttlCache } of shared) nodes.push(await openNode({ ttlCache }))
    await converse({ nodes })
    const share = cachedShare(upstream)
    process.stdout.write(`cached share over two nodes: ${share.toFixed(3)}\n`)
    expect(share).toBeGreaterThanOrEqual(0.9)
    const results = await Promise.all(nodes.map(resultsOf))
    expect(results.reduce((sum, { new: count = 0 }) => sum + count, 0)).toBe(SESSIONS)
    expect(results.reduce((sum, { moved = 0 }) => sum + moved, 0)).toBe(0)
    await Promise.all(
      shared.map((each) =>
        each.ttlCache('affinity', { lifetimeMs: 1, entriesMax: 1, bytesMax: 1, valueBytesMax: 1 }).clear(),
      ),
    )
    await Promise.all(shared.map((each) => each.close()))
  })
})

function fail(error: unknown): never {
  throw error
}
