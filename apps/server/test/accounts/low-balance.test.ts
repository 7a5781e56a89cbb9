import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { routes } from '@tollgate/contract/routes'
import { type NotifyHarness, SECRET, openNotifyHarness, signatureOf } from './notify-harness.ts'
import { give, openMailGateway } from './mail-gateway.ts'

let bench: NotifyHarness
beforeEach(async () => {
  bench = await openNotifyHarness()
})
afterEach(() => bench.close())

const causesOf = async (at: NotifyHarness) => (await at.causes()).map(({ cause }) => cause)
const bodies = () => bench.receiver.received.map(({ text }) => JSON.parse(text))

async function fall(at: NotifyHarness): Promise<void> {
  await at.give(1500n)
  await at.spend(1000n)
  await at.watcher()()
}

describe('low-balance notice', () => {
  test('a fall below the threshold is reported once, with the balance after the call, and again only after the balance has risen', async () => {
    const look = bench.watcher()
    await bench.give(1500n)
    await bench.spend(500n)
    await look()
    expect(await bench.causes()).toEqual([])
    for (const amount of [1n, 99n, 300n]) {
      await bench.spend(amount)
      await look()
    }
    expect(await bench.causes()).toHaveLength(1)
    await bench.give(100n)
    await bench.spend(50n)
    await look()
    expect(await bench.causes()).toHaveLength(1)
    await bench.give(5000n)
    await look()
    await bench.spend(5000n)
    await look()
    expect(await bench.causes()).toHaveLength(2)
    await bench.worker.settle()
    expect(bodies()).toMatchObject([
      { type: 'quota_exceed', values: ['Your quota is about to run out', '＄0.001998', '', ''] },
      { type: 'quota_exceed', values: ['Your quota is about to run out', '＄0.001300', '', ''] },
    ])
    const [{ content }] = bodies()
    expect(content).toBe('{{value}}: {{value}} remains. Please top up in time, so that your calls go on.')
  })

  test('a fall is reported once, however many processes watch and even if one of them starts later', async () => {
    await bench.give(1500n)
    await bench.spend(1000n)
    const looks = [bench.watcher(), bench.watcher(), bench.watcher()]
    await Promise.all(looks.map((look) => look()))
    await bench.watcher()()
    expect(await bench.causes()).toHaveLength(1)
  })

  test('quota held by calls in progress does not count as spent', async () => {
    const look = bench.watcher()
    await bench.give(3000n)
    await bench.hold(1900n)
    await bench.spend(50n)
    await look()
    expect(await bench.causes()).toEqual([])
    await bench.spend(100n)
    await look()
    expect(await bench.causes()).toEqual([])
  })

  test('a fall of the balance of a banned user is not reported', async () => {
    await bench.give(1500n)
    await bench.spend(1000n)
    await bench.store.db.updateTable('users').set({ status: 2 }).execute()
    await bench.watcher()()
    expect(await causesOf(bench)).toEqual([])
  })
})

describe('low-balance webhook', () => {
  test('the webhook is signed and retried with an identical body until the receiver accepts it', async () => {
    bench.receiver.statuses.push(500, 302, 429)
    await fall(bench)
    for (const seconds of [0, 10, 60, 300, 1800, 7200]) {
      bench.clock.advance(seconds * 1000)
      await bench.worker.settle()
    }
    const { received } = bench.receiver
    expect(received).toHaveLength(4)
    expect(new Set(received.map(({ text }) => text)).size).toBe(1)
    const [{ headers, text } = { headers: {}, text: '' }] = received
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-signature': signatureOf(text),
      authorization: `Bearer ${SECRET}`,
    })
    expect(headers['x-webhook-id']).toBe(JSON.parse(text).id)
    expect(await bench.causes()).toMatchObject([{ state: 'done' }])
  })

  test('a webhook that keeps failing is given up in the end', async () => {
    bench.receiver.statuses.push(...Array.from({ length: 20 }, () => 503))
    await fall(bench)
    for (const seconds of [0, 10, 60, 300, 1800, 7200, 7200, 7200]) {
      bench.clock.advance(seconds * 1000)
      await bench.worker.settle()
    }
    expect(bench.receiver.received).toHaveLength(6)
    expect(await bench.causes()).toMatchObject([{ state: 'failed', reason: 'the receiver answered 503' }])
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
