import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { jingles } from './operations/jingles/operation.ts'
import type { TaskHarness } from './task-harness.ts'

/** One folder and one line add an operation that ends later: every station and check then applies to it. */

const INDEX = '../../src/relay/operations/index.ts'
const PATH = '/v1/jingles'
const UPSTREAM = '/suno/submit/MUSIC'
const GIVEN = 1_000_000n
const PRICE = 50_000n
const body = { slogan: 'buy a long spoon' }

let at: TaskHarness

// Test files share their modules, so this one loads a gateway of its own and leaves none behind.
beforeAll(async () => {
  vi.resetModules()
  vi.doMock(INDEX, async (original) => ({ ...(await original<object>()), jingles }))
  const { openTaskHarness } = await import('./task-harness.ts')
  at = await openTaskHarness({ clock: new ManualClock(), models: 'mj_imagine' })
})
afterAll(async () => {
  expect(await at.harness.ledger.audit()).toMatchObject({ findings: [] })
  await at.close()
  vi.doUnmock(INDEX)
  vi.resetModules()
})
afterEach(async () => {
  await at.harness.setOption('SensitiveWords', '')
  await at.harness.setOption('ModelRequestRateLimitEnabled', 'false')
  expect(await at.harness.openHolds()).toBe(0)
})

/** Submits a jingle of a new caller. */
async function jingle() {
  const who = await at.caller()
  const id = at.newId()
  at.upstream.answer(UPSTREAM, { body: { code: 'success', message: '', data: id } })
  expect(await at.post(PATH, who.bearer, body)).toMatchObject({ status: 200, json: { data: id } })
  return { ...who, id }
}

async function ends(id: string, how: object) {
  const data = [{ task_id: id, progress: '100%', ...how }]
  at.upstream.answer('/suno/fetch', { body: { code: 'success', data } })
  await at.poll()
}

it('a new operation is refused in its own form: without a balance, and for a refused word', async () => {
  const before = at.upstream.asked.length
  expect((await at.harness.send({ path: PATH, body })).status).toBe(401)
  const poor = await at.caller(PRICE - 1n)
  const refused = await at.post(PATH, poor.bearer, body)
  expect(refused).toMatchObject({ status: 403, json: { code: 'insufficient_user_quota' } })
  await at.harness.setOption('SensitiveWords', 'spoon')
  const { bearer } = await at.caller()
  const { json } = await at.post(PATH, bearer, body)
  expect(json).toMatchObject({ code: 'sensitive_words_detected', text: expect.any(String) })
  expect(at.upstream.asked).toHaveLength(before)
})

it('the call limit of a user applies to a new operation', async () => {
  await at.harness.setOption('ModelRequestRateLimitCount', '1')
  await at.harness.setOption('ModelRequestRateLimitEnabled', 'true')
  const { bearer } = await jingle()
  expect((await at.post(PATH, bearer, body)).status).toBe(429)
})

it('a task of a new operation is charged, stored, polled and shown to its owner', async () => {
  const { userId, bearer, id } = await jingle()
  expect(at.upstream.asked.at(-1)).toMatchObject({ path: UPSTREAM, body: { prompt: body.slogan } })
  expect(await at.remaining(userId)).toBe(GIVEN - PRICE)
  expect(await at.taskRow(id)).toMatchObject({ action: 'JINGLE', quota: PRICE, user_id: userId })
  const log = (await at.harness.logs()).at(-1)
  expect(JSON.parse(log?.other ?? '{}')).toMatchObject({ event: 'task_charged', action: 'JINGLE' })
  await ends(id, { status: 'SUCCESS' })
  expect((await at.get(`${PATH}/${id}`, bearer)).json).toMatchObject({ task_id: id, status: 'SUCCESS' })
  const stranger = await at.caller()
  expect((await at.get(`${PATH}/${id}`, stranger.bearer)).json).toMatchObject({ code: 'task_not_found' })
})

it('a failed task of a new operation is refunded', async () => {
  const { userId, id } = await jingle()
  await ends(id, { status: 'FAILURE', fail_reason: 'out of tune' })
  expect(await at.remaining(userId)).toBe(GIVEN)
})
