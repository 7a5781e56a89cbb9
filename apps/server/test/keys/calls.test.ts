import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { channelKeyContext, findChannel } from '@tollgate/store/channels/channels'
import { renewKeysJob } from '../../src/jobs/renew-keys.ts'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { CHAT } from '../relay/send.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from '../relay/upstream.ts'
import { TEN_DAYS_MS, Vendor } from './vendor.ts'

const HOUR_MS = 3_600_000

let harness: RelayHarness
let vendor: Vendor
let upstream: ScriptedUpstream
let bearer: string
/** Access tokens that the upstream rejects. */
let refused: Set<string>

beforeEach(async () => {
  vendor = new Vendor(() => Date.now())
  refused = new Set()
  harness = await openRelayHarness({ exchange: (request) => vendor.exchange(request) })
  upstream = await openScriptedUpstream(answerUnlessRefused)
  await harness.setOption('AutomaticDisableChannelEnabled', 'true')
  ;({ bearer } = await harness.addCaller())
})
afterEach(async () => {
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  const holds = await harness.openHolds()
  await harness.close()
  await upstream.close()
  expect({ findings, holds }).toEqual({ findings: [], holds: 0 })
})

const answerUnlessRefused: Responder = (response, { headers }) => {
  const shown = String(headers.authorization)
  if (refused.has(shown))
    return sendJson(response, 401, { error: { message: `${shown} has expired`, code: 'token_expired' } })
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }
  const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 }
  const done = { id: 'r', object: 'response', status: 'completed', output: [message], usage }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(
    `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: done })}\n\n`,
  )
}

const shown = () => upstream.received.map(({ headers }) => String(headers.authorization))
const bearerOf = (key: string) => `Bearer ${JSON.parse(key).access_token}`

async function stored(id: number): Promise<string> {
  const row = await findChannel(harness.db, id)
  return harness.cipher.decrypt(row?.key_sealed ?? '', channelKeyContext(id))
}

const add = (key: string) => harness.addChannel(upstream.url, { type: 57, key })
const call = () => harness.send({ bearer, body: CHAT })

describe('a call with an OAuth credential', () => {
  test('an expired credential is refreshed before it is used', async () => {
    const old = vendor.key(0)
    const id = await add(old)
    expect((await call()).status).toBe(200)
    expect(shown()).toEqual([bearerOf(await stored(id))])
    expect(shown()).not.toEqual([bearerOf(old)])
    expect((await call()).status).toBe(200)
    expect(vendor.asked).toBe(1)
  })

  test('a credential that the upstream refuses is refreshed once, and the call is retried with the new one', async () => {
    const old = vendor.key(TEN_DAYS_MS)
    refused.add(bearerOf(old))
    const id = await add(old)
    const answers = await Promise.all([call(), call(), call()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(vendor.asked).toBe(1)
    expect(shown().at(-1)).toBe(bearerOf(await stored(id)))
    await harness.quiet()
    expect(harness.disabled).toEqual([])
    expect(await harness.entries()).toHaveLength(3)
  })

  test('when the refreshed credential is refused too, the call is not tried again and the channel is disabled with the reason', async () => {
    const old = vendor.key(TEN_DAYS_MS)
    upstream.respond = (response, { headers }) =>
      sendJson(response, 401, { error: { message: `${headers.authorization} has expired` } })
    const id = await add(old)
    const answer = await call()
    expect(answer.status).toBe(401)
    expect(upstream.received).toHaveLength(2)
    expect(vendor.asked).toBe(1)
    await harness.quiet()
    expect(harness.disabled).toMatchObject([{ channelId: id }])
    const logs = (await harness.logs()).map(({ content, other }) => [content, other])
    const everything = answer.text + JSON.stringify([harness.disabled, logs, harness.said])
    expect(everything).not.toMatch(/access\.\w+|refresh-secret/)
  })

  test('a credential that cannot be refreshed any more disables its channel, with the vendor’s reason', async () => {
    const stale = vendor.key(0)
    await vendor.exchange({ body: JSON.stringify({ refresh_token: 'refresh-secret-1' }) })
    const id = await add(stale)
    const answer = await call()
    expect(answer.status).toBe(500)
    expect(answer.text).toContain('channel_key_refused')
    expect(upstream.received).toHaveLength(0)
    await harness.quiet()
    expect(harness.disabled).toEqual([
      { channelId: id, reason: expect.stringContaining('refresh_token_reused') },
    ])
    expect(harness.refusedRenewals).toHaveLength(1)
    expect(await harness.entries()).toHaveLength(0)
  })

  test('a temporary refresh failure leaves the channel enabled, and another channel serves the call', async () => {
    await harness.setOption('RetryTimes', '1')
    vendor.trouble = 'down'
    await harness.addChannel(upstream.url, { type: 57, key: vendor.key(0), priority: 1 })
    expect((await call()).status).toBe(502)
    await harness.addChannel(upstream.url, { type: 57, key: vendor.key(TEN_DAYS_MS) })
    expect((await call()).status).toBe(200)
    // Both calls share one refresh request.
    expect(vendor.asked).toBe(1)
    expect(harness.disabled).toEqual([])
  })

  test('a channel test refreshes the credential as a call does', async () => {
    const id = await add(vendor.key(0))
    expect(await harness.probe.probe({ channelId: id })).toMatchObject({ ok: true })
    refused.add(bearerOf(await stored(id)))
    expect(await harness.probe.probe({ channelId: id })).toMatchObject({ ok: true })
    expect(vendor.asked).toBe(2)
    vendor.trouble = 'echoes'
    refused.add(bearerOf(await stored(id)))
    const failed = await harness.probe.probe({ channelId: id })
    expect(failed).toMatchObject({ ok: false })
    expect(failed.message).not.toMatch(/access\.\w+|refresh-secret/)
  })
})

test('the refresh job refreshes credentials in their last day, and no others', async () => {
  const id = await add(vendor.key(HOUR_MS / 10))
  await harness.addChannel(upstream.url, { type: 57, key: vendor.key(TEN_DAYS_MS) })
  await harness.addChannel(upstream.url, { type: 57, key: vendor.key(0), status: 2 })
  await harness.addChannel(upstream.url, { type: 1 })
  const job = renewKeysJob(harness)
  // A short-lived credential is refreshed in the last quarter of its lifetime; this one is new.
  expect(await job.run()).toEqual({ renewed: 0, failed: 0 })
  const { db, cipher, notices } = harness
  const key_sealed = cipher.encrypt(vendor.key(0), channelKeyContext(id))
  await db.updateTable('channels').set({ key_sealed }).where('id', '=', id).execute()
  await notices.publish({ entity: 'channels' })
  expect(await job.run()).toEqual({ renewed: 1, failed: 0 })
  expect(await job.run()).toEqual({ renewed: 0, failed: 0 })
  expect(vendor.asked).toBe(1)
  expect(await stored(id)).toContain('refresh-secret-2')
})
