import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from './harness.ts'

const HOUR_MS = 3_600_000
/** In Auckland it is the next day already. */
const START_MS = Date.UTC(2026, 10, 29, 13, 50)

const zoneBefore = process.env['TZ']
const clock = new ManualClock(START_MS)
let gateway: TestServer

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
  await setOption('CheckInEnabled', 'true')
  await setOption('CheckInQuota', '1000')
})
afterAll(async () => {
  await gateway.close()
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

function setOption(key: string, value: string) {
  return gateway.root.call(routes.option.update, { body: { key, value } })
}

async function readDays(user: Visitor, month: string) {
  const { days } = await user.call(routes.account.checkInCalendar, { query: { month } })
  return days.map(({ day }) => day)
}

test.each([
  ['Pacific/Auckland', '2026-11-30'],
  ['UTC', '2026-11-29'],
  ['Asia/Kolkata', '2026-11-29'],
  ['Pacific/Kiritimati', '2026-11-30'],
])('a check-in, its calendar and a day budget are of the day in %s', async (zone, day) => {
  await setOption('TimeZone', zone)
  const user = await gateway.user()
  await user.call(routes.account.checkIn)
  expect(await readDays(user, '2026-11')).toEqual([day])
  const status = await user.call(routes.account.checkInStatus)
  expect(status).toMatchObject({ day, can_check_in: false })
  const budget = { budget_quota: 1000, budget_period: 'day' as const, unlimited_quota: true }
  const { id } = await user.call(routes.token.create, { body: { name: 'budget', ...budget } })
  const token = await user.call(routes.token.get, { params: { id } })
  const reset = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  expect(reset.format(token.budget_reset_time * 1000)).toBe('00:00')
  const statement = await user.call(routes.statement.read, { query: { month: '2026-11' } })
  const midnight = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
    hour12: false,
  })
  expect(midnight.format(statement.from * 1000)).toMatch(/^2026-11-01, (?:00|24):00$/)
  expect(statement.credits.some(({ key }) => key.endsWith(day))).toBe(true)
})

test('a new day that is less than 20 hours away brings no second reward', async () => {
  await setOption('TimeZone', 'UTC')
  const user = await gateway.user()
  await user.call(routes.account.checkIn)
  await setOption('TimeZone', 'Pacific/Auckland')
  const isAllowed = async () => (await user.call(routes.account.checkInStatus)).can_check_in
  expect(await isAllowed()).toBe(false)
  await expect(user.call(routes.account.checkIn)).rejects.toThrow()
  clock.advance(19 * HOUR_MS)
  expect(await isAllowed()).toBe(false)
  await expect(user.call(routes.account.checkIn)).rejects.toThrow()
  clock.advance(2 * HOUR_MS)
  expect(await isAllowed()).toBe(true)
  await user.call(routes.account.checkIn)
  expect(await readDays(user, '2026-11')).toEqual(['2026-11-29', '2026-11-30'])
})

test.each(['Mars/Olympus', '+02:00', 'Europe', '2', 'Europe/Berlin; x'])(
  '%s is no time zone',
  async (zone) => {
    await expect(setOption('TimeZone', zone)).rejects.toThrow()
  },
)
