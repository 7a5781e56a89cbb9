import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { routes } from '@tollgate/contract/routes'
import { type NotifyHarness, SECRET, openNotifyHarness, signatureOf } from './notify-harness.ts'
import { give, openMailGateway } from './mail-gateway.ts'

let harness: NotifyHarness
beforeEach(async () => {
  harness = await openNotifyHarness()
})
afterEach(() => harness.close())

const causesOf = async (at: NotifyHarness) => (await at.causes()).map(({ cause }) => cause)
const bodies = () => harness.receiver.received.map(({ text }) => JSON.parse(text))

async function fall(at: NotifyHarness): Promise<void> {
  await at.give(1500n)
  await at.spend(1000n)
  await at.watcher()()
}

describe('low-balance notice', () => {
  test('a fall below the threshold is reported once, with the balance after the call, and again only after the balance has risen', async () => {
    const look = harness.watcher()
    await harness.give(1500n)
    await harness.spend(500n)
    await look()
    expect(await harness.causes()).toEqual([])
    for (const amount of [1n, 99n, 300n]) {
      await harness.spend(amount)
      await look()
    }
    expect(await harness.causes()).toHaveLength(1)
    await harness.give(100n)
    await harness.spend(50n)
    await look()
    expect(await harness.causes()).toHaveLength(1)
    await harness.give(5000n)
    await look()
    await harness.spend(5000n)
    await look()
    expect(await harness.causes()).toHaveLength(2)
    await harness.worker.settle()
    expect(bodies()).toMatchObject([
      { type: 'quota_exceed', values: ['Your quota is about to run out', '＄0.001998', '', ''] },
      { type: 'quota_exceed', values: ['Your quota is about to run out', '＄0.001300', '', ''] },
    ])
    const [{ content }] = bodies()
    expect(content).toBe('{{value}}: {{value}} remains. Please top up in time, so that your calls go on.')
  })

  test('a fall is reported once, however many processes watch and even if one of them starts later', async () => {
    await harness.give(1500n)
    await harness.spend(1000n)
    const looks = [harness.watcher(), harness.watcher(), harness.watcher()]
    await Promise.all(looks.map((look) => look()))
    await harness.watcher()()
    expect(await harness.causes()).toHaveLength(1)
  })

  test('quota held by calls in progress does not count as spent', async () => {
    const look = harness.watcher()
    await harness.give(3000n)
    await harness.hold(1900n)
    await harness.spend(50n)
    await look()
    expect(await harness.causes()).toEqual([])
    await harness.spend(100n)
    await look()
    expect(await harness.causes()).toEqual([])
  })

  test('a fall of the balance of a banned user is not reported', async () => {
    await harness.give(1500n)
    await harness.spend(1000n)
    await harness.store.db.updateTable('users').set({ status: 2 }).execute()
    await harness.watcher()()
    expect(await causesOf(harness)).toEqual([])
  })
})

describe('low-balance webhook', () => {
  test('the webhook is signed and retried with an identical body until the receiver accepts it', async () => {
    harness.receiver.statuses.push(500, 302, 429)
    await fall(harness)
    for (const seconds of [0, 10, 60, 300, 1800, 7200]) {
      harness.clock.advance(seconds * 1000)
      await harness.worker.settle()
    }
    const { received } = harness.receiver
    expect(received).toHaveLength(4)
    expect(new Set(received.map(({ text }) => text)).size).toBe(1)
    const [{ headers, text } = { headers: {}, text: '' }] = received
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-signature': signatureOf(text),
      authorization: `Bearer ${SECRET}`,
    })
    expect(headers['x-webhook-id']).toBe(JSON.parse(text).id)
    expect(await harness.causes()).toMatchObject([{ state: 'done' }])
  })

  test('a webhook that keeps failing is given up in the end', async () => {
    harness.receiver.statuses.push(...Array.from({ length: 20 }, () => 503))
    await fall(harness)
    for (const seconds of [0, 10, 60, 300, 1800, 7200, 7200, 7200]) {
      harness.clock.advance(seconds * 1000)
      await harness.worker.settle()
    }
    expect(harness.receiver.received).toHaveLength(6)
    expect(await harness.causes()).toMatchObject([{ state: 'failed', reason: 'the receiver answered 503' }])
  })

  test('a webhook is not sent to a private address, whatever its host name resolves to', async () => {
    const guarded = await openNotifyHarness({ allowedAddresses: [] })
    await fall(guarded)
    await guarded.worker.settle()
    expect(guarded.receiver.received).toEqual([])
    expect(await guarded.causes()).toMatchObject([{ state: 'pending' }])
    await guarded.close()
  })
})

test('in a running gateway, one fall of the balance sends one mail', async () => {
  const house = await openMailGateway()
  const user = await house.gateway.user()
  await user.call(routes.account.updateSetting, {
    body: {
      notify_type: 'email',
      quota_warning_threshold: 100_000,
      notification_email: 'ada@example.com',
    },
  })
  await give(house, user, 150_000n)
  await give(house, user, -100_000n)
  const mail = await vi.waitUntil(() => house.mailbox.mails.shift(), { timeout: 30_000 })
  expect(mail).toMatchObject({ to: ['ada@example.com'] })
  expect(mail.subject).toContain('quota is about to run out')
  expect(mail.text).toContain('＄0.100000')
  expect(mail.text).toContain('https://gate.example/topup')
  await house.close()
})
