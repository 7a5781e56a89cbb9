import { redemptionRoutes } from '@tollgate/contract/redemption'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'

/** Consoles and scripts of new-api name the end of a code `expired_time`. */

let gateway: TestServer
let admin: Visitor
const clock = new ManualClock(Date.UTC(2026, 10, 22, 12))
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
  admin = await gateway.user({ role: 10 })
})
afterAll(() => gateway.close())

const now = (): number => Math.floor(clock.nowMs() / 1000)
let count = 0

async function create(ends: { expired_time?: number; valid_until?: number }) {
  const name = `code-${++count}`
  const [key = ''] = await admin.call(redemptionRoutes.create, {
    body: { name, quota: 500, count: 1, ...ends },
  })
  return { key, row: await find(name) }
}

async function find(keyword: string) {
  const { items } = await admin.call(redemptionRoutes.search, { query: { keyword, page_size: 1 } })
  const [row] = items
  if (!row) throw new Error(`${keyword} is not in the list`)
  return row
}

const names = async (status: number | 'expired', keyword = 'code-'): Promise<readonly string[]> =>
  (await admin.call(redemptionRoutes.search, { query: { keyword, status, page_size: 100 } })).items.map(
    ({ name }) => name,
  )

describe('the end of a code under the name of new-api', () => {
  it('is kept, shown under both names, and honoured', async () => {
    const { key, row } = await create({ expired_time: now() + 60 })
    expect(row).toMatchObject({ valid_until: now() + 60, expired_time: now() + 60 })
    clock.advance(61_000)
    const person = await gateway.user()
    await expect(person.call(redemptionRoutes.redeem, { body: { key } })).rejects.toThrow(
      /expired|over|ended/i,
    )
  })

  it.each([{ expired_time: 0 }, { expired_time: 0, valid_until: 0 }, {}])('%j is no end', async (ends) => {
    const { row } = await create(ends)
    expect(row).toMatchObject({ valid_until: 0, expired_time: 0 })
  })

  it('may be said under both names when both agree', async () => {
    const end = now() + 3_600
    expect((await create({ expired_time: end, valid_until: end })).row.valid_until).toBe(end)
  })

  it.each<[string, () => { expired_time: number; valid_until?: number }]>([
    ['in the past', () => ({ expired_time: now() - 3_600 })],
    ['in milliseconds', () => ({ expired_time: clock.nowMs() + 3_600_000 })],
    ['negative', () => ({ expired_time: -1 })],
    ['different under the two names', () => ({ expired_time: now() + 60, valid_until: now() + 120 })],
  ])('is refused when it is %s', async (_what, ends) => {
    await expect(create(ends())).rejects.toThrow()
  })

  it('is changed by a console that sends the whole row back', async () => {
    const { row } = await create({})
    const body = { ...row, expired_time: now() + 600 }
    expect((await admin.call(redemptionRoutes.update, { body, query: {} })).valid_until).toBe(now() + 600)
    const own = { ...(await find(row.name)), valid_until: now() + 900 }
    expect((await admin.call(redemptionRoutes.update, { body: own, query: {} })).expired_time).toBe(
      now() + 900,
    )
    const none = { ...(await find(row.name)), expired_time: 0 }
    expect((await admin.call(redemptionRoutes.update, { body: none, query: {} })).valid_until).toBe(0)
    const both = { ...(await find(row.name)), expired_time: now() + 60, valid_until: now() + 120 }
    await expect(admin.call(redemptionRoutes.update, { body: both, query: {} })).rejects.toThrow(
      /different ends/,
    )
  })

  it('decides which list of states a code is in', async () => {
    const short = await create({ expired_time: now() + 10 })
    const long = await create({ expired_time: now() + 10_000 })
    const endless = await create({})
    clock.advance(11_000)
    expect(await names('expired')).toContain(short.row.name)
    expect(await names(1)).not.toContain(short.row.name)
    for (const { row } of [long, endless]) {
      expect(await names('expired')).not.toContain(row.name)
      expect(await names(1)).toContain(row.name)
    }
  })
})
