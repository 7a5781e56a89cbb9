import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Store, openStore } from '../database/open-store.ts'
import {
  countTokens,
  findEncryptedTokenKey,
  findToken,
  insertToken,
  listTokens,
  removeToken,
  updateToken,
} from './tokens.ts'

const OWNER = 7
const STRANGER = 8
const FIRST_PAGE = { offset: 0, limit: 100 }

let store: Store
let made = 0

beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(() => store.close())

function newToken(input: { ownerId?: number; name?: string; preview?: string } = {}): Promise<number> {
  made += 1
  return insertToken(store.db, {
    user_id: input.ownerId ?? OWNER,
    name: input.name ?? `token ${made}`,
    key_hash: `hash-${made}`,
    key_sealed: 'sealed',
    key_preview: input.preview ?? 'abc***xyz',
    status: 1,
    created_time: made,
    expired_time: -1,
    unlimited_quota: 0,
    model_limits_enabled: 0,
    model_limits: '',
    allow_ips: '',
    group_name: '',
  })
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

async function found(start: string, end: string): Promise<number[]> {
  return idsOf(await listTokens(store.db, { ownerId: OWNER, keyEdges: { start, end } }, FIRST_PAGE))
}

describe('tokens', () => {
  it('tokens are listed newest first, and none is repeated or lost across pages', async () => {
    const ids: number[] = []
    for (let i = 0; i < 25; i++) ids.push(await newToken())
    const pages = await Promise.all(
      [0, 10, 20].map((offset) => listTokens(store.db, { ownerId: OWNER }, { offset, limit: 10 })),
    )
    expect(pages.flatMap(idsOf)).toEqual(ids.toReversed())
    expect(await countTokens(store.db, { ownerId: OWNER })).toBe(25)
  })

  it('a token of another owner behaves like a missing one', async () => {
    const id = await newToken({ ownerId: STRANGER })
    const which = { id, ownerId: OWNER }
    expect(await findToken(store.db, which)).toBeUndefined()
    expect(await findEncryptedTokenKey(store.db, which)).toBeUndefined()
    expect(await updateToken(store.db, { ...which, change: { name: 'stolen' } })).toBe(false)
    expect(await removeToken(store.db, { ...which, nowMs: 1 })).toBe(false)
    expect(await listTokens(store.db, { ownerId: OWNER }, FIRST_PAGE)).toEqual([])
    expect(await findToken(store.db, { id, ownerId: STRANGER })).toMatchObject({ user_id: STRANGER })
  })

  it('a removed token is in no query, and its encrypted key is deleted', async () => {
    const id = await newToken()
    expect(await removeToken(store.db, { id, ownerId: OWNER, nowMs: 5 })).toBe(true)
    expect(await findToken(store.db, { id, ownerId: OWNER })).toBeUndefined()
    expect(await countTokens(store.db, { ownerId: OWNER })).toBe(0)
    const row = await store.db.selectFrom('tokens').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ deleted_ms: 5, key_sealed: '' })
  })

  it.each([
    ['100%', ['100% mine']],
    ['a_b', ['a_b']],
    ['!', ['wow!']],
    ['MINE', ['100% mine']],
    ["'; drop table tokens; --", []],
  ])('the name filter %s is matched literally', async (name, found) => {
    for (const text of ['100% mine', '1000 others', 'a_b', 'aXb', 'wow!']) await newToken({ name: text })
    const rows = await listTokens(store.db, { ownerId: OWNER, name }, FIRST_PAGE)
    expect(rows.map((row) => row.name)).toEqual(found)
  })

  it('tokens are found by the visible start or end of the key, case-sensitively', async () => {
    const id = await newToken({ preview: 'aBc***xYz' })
    expect(await found('aB', 'aB')).toEqual([id])
    expect(await found('xYz', 'xYz')).toEqual([id])
    expect(await found('AB', 'AB')).toEqual([])
    expect(await found('B', 'B')).toEqual([])
  })

  it('a token is returned with the figures of its account and totals', async () => {
    const id = await newToken()
    await store.db
      .insertInto('totals')
      .values({ subject: `token:${id}`, used: 40n, calls: 2, last_ms: 9000 })
      .execute()
    expect(await findToken(store.db, { id, ownerId: OWNER })).toMatchObject({
      remaining: null,
      used: null,
      last_ms: 9000,
    })
  })
})
