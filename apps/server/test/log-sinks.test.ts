import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OptionKey } from '@tollgate/contract/options/index'
import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { addChannel, relayCall } from './nodes/operator.ts'

/** The usage log sent to a webhook as an operator sets it up, beside a receiver that is down. */

const clock = new ManualClock(Date.now())
const bodies: string[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    bodies.push(body)
    response.end()
  })
})

let upstream: FakeUpstream
let site: TestServer
let key: string
beforeAll(async () => {
  upstream = await startFakeUpstream()
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  site = await startTestServer({ clock, isInMemory: true })
  await addChannel(site.root, upstream.url)
  ;({ key } = await site.root.call(routes.token.create, { body: { name: 'one', unlimited_quota: true } }))
})
afterAll(async () => {
  await site.close()
  await upstream.close()
  receiver.close()
  receiver.closeAllConnections()
})

async function set(changes: Partial<Record<OptionKey, string>>): Promise<void> {
  for (const [name, value] of Object.entries(changes))
    await site.root.call(routes.option.update, { body: { key: name, value } })
}

/** Requests a run in the console and waits until it has ended. */
async function run(name: string) {
  const job = async () => (await site.root.call(routes.job.list)).find((each) => each.name === name)
  await site.root.call(routes.job.run, { params: { name } })
  await expect.poll(async () => (await job())?.state).toBe('idle')
  return job()
}

const call = async () => (await relayCall({ address: site.address, key })).status

const logged = async () => (await site.root.call(routes.log.list, { query: { type: 2 } })).total

it('a call reaches the webhook, and a receiver that is down is a line on the page of the jobs', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = receiver.address() as AddressInfo
  await set({ LogWebhookUrl: `http://127.0.0.1:${port}/log`, LangfuseAddress: 'http://127.0.0.1:9' })
  for (const name of ['log-webhook', 'log-langfuse']) await run(name)
  expect(await call()).toBe(200)
  await expect.poll(logged).toBe(1)
  for (const name of ['log-webhook', 'log-langfuse']) await run(name)
  clock.advance(11_000)
  expect(await run('log-webhook')).toMatchObject({ outcome: 'ok', figures: { sent: 1 } })
  expect(JSON.parse(bodies[0] ?? '').rows).toMatchObject([{ model_name: 'gpt-4o-mini', username: 'root' }])

  const down = await run('log-langfuse')
  expect(down).toMatchObject({ outcome: 'failed' })
  expect(down?.reason?.en).toContain('Langfuse cannot be reached')
  expect(down?.reason?.zh).toContain('无法连接')
  expect(await call()).toBe(200)
})
