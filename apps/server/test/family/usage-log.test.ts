import { LOG_TYPE } from '@tollgate/kit/codes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { oldConsole } from './old-client.ts'

/**
 * The usage log as consoles written for new-api read it: they compute receipts themselves and know six types
 * of rows.
 */

const QUOTA_PER_UNIT = 500_000

let gateway: TestServer
let user: Visitor
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  user = await gateway.user({ username: 'reader' })
  const call = { ...row, user_id: user.id, username: 'reader' }
  await gateway.server.store.db.deleteFrom('logs').execute()
  await gateway.server.store.db
    .insertInto('logs')
    .values([
      { ...call, other: JSON.stringify(claude) },
      { ...call, other: JSON.stringify({ ...claude, claude: true }), prompt_tokens: 100 },
      { ...call, other: JSON.stringify({ ...claude, cache_creation_tokens: 0 }) },
      ...Object.values(LOG_TYPE).map((type) => ({ ...call, type, other: '' })),
    ])
    .execute()
})
afterAll(() => gateway.close())

/** 100 uncached input tokens, 1000 read from the cache, 200 written to it, and 50 output tokens. */
const claude = {
  model_ratio: 1.5,
  group_ratio: 1,
  completion_ratio: 5,
  cache_ratio: 0.1,
  cache_creation_ratio: 1.25,
  model_price: -1,
  cache_tokens: 1000,
  cache_creation_tokens: 200,
}
const row = {
  created_at: 1_760_000_400,
  type: LOG_TYPE.consumption,
  content: '',
  token_id: 0,
  token_name: '',
  model_name: 'claude-sonnet-4-5',
  quota: 1050n,
  prompt_tokens: 1300,
  completion_tokens: 50,
  use_time: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  is_stream: 0,
  channel_id: 0,
  group_name: 'default',
  ip: '',
} as const

const pageSchema = z.object({
  items: z.array(
    z.object({
      type: z.int(),
      quota: z.int(),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      other: z.string(),
    }),
  ),
  total: z.int(),
})
const otherSchema = z.object({
  claude: z.boolean().optional(),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  cache_creation_ratio: z.number(),
  cache_tokens: z.number(),
  cache_creation_tokens: z.number(),
})

const ways = [
  ['everybody’s', '/api/log/', 'root'],
  ['one’s own', '/api/log/self/', 'user'],
] as const
const reader = (who: 'root' | 'user') => (who === 'root' ? gateway.root : user)

async function page(path: string, who: 'root' | 'user', query = 'type=0') {
  const answer = await oldConsole(reader(who), 'Veloera-User')('GET', `${path}?p=1&page_size=100&${query}`)
  return pageSchema.parse(answer.data)
}

describe.each(ways)('in %s log', (_name, path, who) => {
  test('the receipt that a console computes equals the charge', async () => {
    const { items } = await page(path, who, `type=${LOG_TYPE.consumption}`)
    const receipts = items.filter(({ other }) => other.includes('"claude":true'))
    expect(receipts).toHaveLength(2)
    for (const { prompt_tokens: input, completion_tokens: output, quota, other } of receipts) {
      const ratios = otherSchema.parse(JSON.parse(other))
      const tokens =
        input +
        ratios.cache_tokens * ratios.cache_ratio +
        ratios.cache_creation_tokens * ratios.cache_creation_ratio +
        output * ratios.completion_ratio
      expect(tokens * ratios.model_ratio).toBe(quota)
      expect(quota / QUOTA_PER_UNIT).toBe(0.0021)
    }
  })

  test('a row has the group of its call beside the ratios', async () => {
    const { items } = await page(path, who, `type=${LOG_TYPE.consumption}`)
    const groups = items.filter(({ other }) => other !== '').map(({ other }) => JSON.parse(other).group)
    expect(groups).toEqual(['default', 'default', 'default'])
  })

  test('a row without cache-write tokens is unchanged', async () => {
    const { items } = await page(path, who, `type=${LOG_TYPE.consumption}`)
    const others = items.filter(({ other }) => !other.includes('"claude":true'))
    expect(others.map((each) => each.prompt_tokens)).toEqual([1300, 1300])
  })

  test('sign-ins and refused calls are listed only when their type is requested', async () => {
    for (const query of ['type=0', '']) {
      const { items, total } = await page(path, who, query)
      expect([items.length, total]).toEqual([9, 9])
      expect(items.map(({ type }) => type).filter((type) => type > LOG_TYPE.refund)).toEqual([])
    }
    for (const type of [LOG_TYPE.signIn, LOG_TYPE.error])
      expect((await page(path, who, `type=${type}`)).items.map((each) => each.type)).toContain(type)
  })

  test('this console gets every type, and input tokens as counted', async () => {
    const answer = await reader(who).fetch(`${path}?p=1&page_size=100`)
    const { data } = z.object({ data: pageSchema }).parse(await answer.json())
    const types = new Set(data.items.map(({ type }) => type))
    expect(types.has(LOG_TYPE.signIn) && types.has(LOG_TYPE.error)).toBe(true)
    const [counted] = data.items
      .filter(({ other }) => other.includes('"cache_creation_tokens":200'))
      .slice(-1)
    expect(counted).toMatchObject({ prompt_tokens: 1300 })
    expect(counted?.other).not.toContain('"claude"')
  })
})

test('totals have the member names that consoles written for new-api read', async () => {
  for (const [path, who] of [
    ['/api/log/stat', 'root'],
    ['/api/log/self/stat', 'user'],
  ] as const) {
    const { data } = await oldConsole(reader(who), 'Veloera-User')('GET', `${path}?type=0&username=reader`)
    expect(data).toMatchObject({
      token_input: 4 * 1300 - 1200,
      token_output: 200,
      token_total: 4 * 1350 - 1200,
    })
  }
})
