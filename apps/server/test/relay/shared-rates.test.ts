import { randomUUID } from 'node:crypto'
import type { Coordination } from '@tollgate/coordination/coordination'
import { redisCoordination } from '@tollgate/coordination/redis-coordination'
import { systemClock } from '@tollgate/kit/clock'
import { Problem } from '@tollgate/problems/problem'
import { Secret } from '@tollgate/kit/secret'
import { answeringRedis } from '@tollgate/testkit/redis'
import { openTcpProxy, type TcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRates, type CallLimits, type Rates } from '../../src/relay/stations/admit/rates.ts'

/** Counts the calls of a user over several nodes. */

const redis = await answeringRedis()
const LIMITS: CallLimits = { minutes: 1, calls: 6, successes: 4 }

describe.skipIf(!redis)('call limits over Redis', () => {
  const { host, port } = redis ?? { host: '', port: 0 }
  let proxy: TcpProxy
  let nodes: readonly Coordination[]
  let rates: readonly Rates[]

  beforeEach(async () => {
    proxy = await openTcpProxy({ host, port })
    const prefix = `tollgate-test:${randomUUID()}:`
    const url = new Secret(`redis://127.0.0.1:${proxy.port}`)
    const options = { url, prefix, clock: systemClock, onFailure: fail, onChange: () => undefined }
    nodes = await Promise.all([redisCoordination(options), redisCoordination(options)])
    rates = nodes.map((node) => openRates(node, fail))
  })
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await proxy.close()
  })

  const ask = (node: number) => rates[node]?.count(1, LIMITS).catch(codeOf)

  test('both limits are shared by all nodes, and a failed call gives back its place in the success limit', async () => {
    const counted = await Promise.all([ask(0), ask(1), ask(0), ask(1)])
    expect(await ask(1)).toBe('too_many_successes_in_window')
    for (const call of counted) if (typeof call === 'object') call.failed()
    await expect.poll(() => ask(1)).not.toBe('too_many_successes_in_window')
    await expect.poll(() => ask(0)).toBe('too_many_calls_in_window')
  })

  test('without Redis each node limits on its own', async () => {
    await ask(0)
    await proxy.goDown()
    for (const node of [0, 0, 0, 1, 1, 1, 1]) expect(await ask(node)).toBeTypeOf('object')
    for (const node of [0, 1]) expect(await ask(node)).toBe('too_many_successes_in_window')
    await proxy.comeBack()
    await expect.poll(() => nodes.every((node) => node.health?.().isShared)).toBe(true)
    expect(await ask(1)).toBeTypeOf('object')
  })
})

function codeOf(error: unknown): string {
  return error instanceof Problem ? error.code : String(error)
}

function fail(error: unknown): never {
  throw error
}
