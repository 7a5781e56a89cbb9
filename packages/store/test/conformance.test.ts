import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertChannel } from '../src/channels/channels.ts'
import { listChannels } from '../src/channels/channel-pages.ts'
import { StoreError } from '../src/database/errors.ts'
import { insertLogRows } from '../src/logs/rows.ts'
import { listLogs, sumLogRows } from '../src/logs/logs.ts'
import type { Store } from '../src/database/open-store.ts'
import { listOptions, writeOption } from '../src/operations/options.ts'
import { publishPriceBook } from '../src/trade/price-books.ts'
import { writeSetup } from '../src/accounts/setup.ts'
import { insertToken, listTokens, updateToken } from '../src/accounts/tokens.ts'
import { isUniqueViolation } from '../src/database/traits.ts'
import { findUser } from '../src/accounts/users.ts'
import { insertUser } from '../src/accounts/user-changes.ts'
import { isTooLate, withinTime } from '../src/database/within-time.ts'
import { accountRow, someChannel, someLog, someToken, someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

const LARGE = 2n ** 62n
const ALL = { offset: 0, limit: 100 }

/** A join of thousands of rows with themselves, twice, which would run far too long. */
const endless = (db: Store['db']) =>
  db
    .selectFrom('logs as a')
    .innerJoin('logs as b', (join) => join.onTrue())
    .innerJoin('logs as c', (join) => join.onTrue())
    .select((select) => select.fn.countAll().as('rows'))
    .where('a.content', '!=', 'b')
    .executeTakeFirstOrThrow()

/**
 * Behaviour that all engines must share. Each test uses its own rows, so the tests could run in any order.
 */
describe.each(engines)('a store on $name', ({ place: newPlace }) => {
  let place: Place
  let store: Store
  let lastOwner = 0

  beforeAll(async () => {
    place = await newPlace()
    store = await place.open()
  })
  afterAll(() => place.remove())

  const token = (fields: Partial<typeof someToken> = {}) => {
    const owner = fields.user_id ?? ++lastOwner
    const hash = `hash-${owner}-${fields.name ?? ''}`
    return insertToken(store.db, { ...someToken, user_id: owner, key_hash: hash, ...fields })
  }
  const user = (email: string) => insertUser(store.db, { ...someUser, username: `mail${++lastOwner}`, email })
  const tokenNames = async (ownerId: number, name: string) =>
    (await listTokens(store.db, { ownerId, name }, ALL)).map((row) => row.name)
  const option = (key: string, value = 'v') =>
    writeOption(store.db, {
      key,
      value,
      shownValue: value,
      shownBefore: (text) => text,
      nowMs: 1,
      actorId: 0,
    })
  const answering = async () => expect(await store.ping()).toBe(true)

  describe('a time limit', () => {
    it('a time limit ends a statement that takes longer and leaves the connection usable', async () => {
      for (let part = 0; part < 10; part++) {
        const rows = Array.from({ length: 300 }, (_, n) => ({ ...someLog, request_id: `slow-${part}-${n}` }))
        await insertLogRows(store.db, rows)
      }
      const read = withinTime(store.db, 50, endless)
      expect(await read.then(String, (error: unknown) => isTooLate(error))).toBe(true)
      const quick = await withinTime(store.db, 60_000, (db) =>
        Promise.all([listTokens(db, { ownerId: -1 }, ALL), listOptions(db)]),
      )
      expect(quick[0]).toEqual([])
      await answering()
      await store.db.deleteFrom('logs').where('request_id', 'like', 'slow-%').execute()
    })
  })

  describe('money', () => {
    it('amounts of ±2^62 are read back exactly, in columns and under aliases', async () => {
      const owner = ++lastOwner
      const amounts = { granted: LARGE - 1n, remaining: LARGE - 1n }
      await store.db.insertInto('account').values(accountRow(owner, amounts)).execute()
      const row = await store.db
        .selectFrom('account')
        .select(['granted', 'remaining as left', 'id', 'version'])
        .where('remaining', '=', LARGE - 1n)
        .executeTakeFirst()
      expect(row).toEqual({ granted: LARGE - 1n, left: LARGE - 1n, id: owner * 4, version: 1 })
      const debt = { granted: -LARGE, debt: LARGE }
      await store.db.insertInto('account').values(accountRow(++lastOwner, debt)).execute()
      const indebted = await store.db.selectFrom('account').selectAll().where('debt', '=', LARGE).execute()
      expect(indebted).toEqual([accountRow(lastOwner, debt)])
    })

    it('amounts are summed exactly, also beyond the precision of a float', async () => {
      const userId = ++lastOwner
      const rows = [LARGE / 2n + 1n, LARGE / 2n, 1n].map((quota) => ({ ...someLog, user_id: userId, quota }))
      await insertLogRows(store.db, rows)
      const sums = { quota: LARGE + 2n, promptTokens: 3, completionTokens: 6, count: 3, calls: 3 }
      expect(await sumLogRows(store.db, { userId })).toEqual(sums)
      expect(await sumLogRows(store.db, { userId: 987_654 })).toMatchObject({ quota: 0n, count: 0 })
    })

    it('money is bigint by the name of its column, and every other integer is a number', async () => {
      const userId = ++lastOwner
      await insertLogRows(store.db, [{ ...someLog, user_id: userId, quota: 7n }])
      const { rows } = await sql`
        select user_id as used, quota as plain, sum(prompt_tokens) as amount, count(*) as calls, avg(use_time) as mean
        from logs where user_id = ${userId} group by user_id, quota`.execute(store.db)
      expect(rows).toEqual([{ used: userId, plain: 7n, amount: 1n, calls: 1, mean: 3 }])
    })

    it('an amount that does not fit is rejected, not rounded', async () => {
      const quota = 2n ** 63n
      await expect(insertLogRows(store.db, [{ ...someLog, quota }])).rejects.toThrow()
      await answering()
    })

    it('the constraints on accounts and entries are enforced', async () => {
      const owner = ++lastOwner
      const insert = (row: Parameters<typeof accountRow>[1], id = owner) =>
        store.db.insertInto('account').values(accountRow(id, row)).execute()
      for (const wrong of [
        { granted: 1n },
        { granted: -1n, remaining: -1n },
        { granted: 0n, remaining: 5n, debt: 5n },
        { kind: 'token' as const },
        { unlimited: 1 as const },
      ])
        await expect(insert(wrong)).rejects.toMatchObject({ kind: 'constraint' })
      await insert({})
      await expect(insert({})).rejects.toSatisfy(isUniqueViolation)
      const entry = { kind: 'consume', request_id: 'r', op_key: 'consume:another', amount: 1n } as const
      const rest = { task_id: null, token_acct: null, channel_id: null, waived: 0n, balance_after: null }
      const texts = { flags: '', price_json: null, usage_json: null, note: null, created_ms: 1 }
      const enter = (change: object) =>
        store.db
          .insertInto('entry')
          .values({ ...entry, ...rest, ...texts, user_acct: owner * 4, ...change })
          .execute()
      await expect(enter({})).rejects.toMatchObject({ kind: 'constraint' })
      await expect(enter({ op_key: 'consume:r', amount: -1n })).rejects.toMatchObject({ kind: 'constraint' })
      await expect(enter({ op_key: 'consume:r', user_acct: 4_000_000 })).rejects.toMatchObject({
        kind: 'constraint',
      })
      for (const nameless of [
        { kind: 'refund', op_key: 'refund:t' },
        { kind: 'correction', op_key: 'correction:r', request_id: null },
      ])
        await expect(enter(nameless)).rejects.toMatchObject({ kind: 'constraint' })
      await enter({ op_key: 'consume:r' })
      await enter({ kind: 'refund', op_key: 'refund:t', task_id: 't' })
      await enter({ kind: 'correction', op_key: 'correction:r', amount: -1n })
      await expect(enter({ op_key: 'consume:r' })).rejects.toSatisfy(isUniqueViolation)
    })
  })

  describe('values', () => {
    it('times, flags, nulls, floats, long and unusual text are read back unchanged', async () => {
      const odd = 'é 中文 😀 \\ \' " ` % _ ! ? $1 :x {} \n\t end '
      const createdMs = 1_795_256_823_953
      const id = await insertUser(store.db, {
        ...someUser,
        username: `odd${++lastOwner}`,
        display_name: odd,
        created_ms: createdMs,
      })
      await store.db
        .updateTable('users')
        .set({ setting: 'x'.repeat(200_000) })
        .where('id', '=', id)
        .execute()
      const user = await store.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
      expect(user).toMatchObject({ display_name: odd, created_ms: createdMs, deleted_ms: null, aff_count: 0 })
      expect(user?.setting).toHaveLength(200_000)
      expect(await findUser(store.db, id)).toMatchObject({ has_access_token: 0, last_check_in_ms: null })
      const channel = await insertChannel(store.db, { ...someChannel, weight: -5 }, () => ({
        key_sealed: '',
      }))
      await store.db.updateTable('channels').set({ balance: 12.3456789 }).where('id', '=', channel).execute()
      const stored = await store.db.selectFrom('channels').selectAll().where('id', '=', channel).execute()
      expect(stored).toMatchObject([{ balance: 12.3456789, weight: -5, auto_ban: 1 }])
    })

    it('an undefined parameter is rejected before the statement is sent', async () => {
      const missing = sql`select ${undefined}`.execute(store.db)
      await expect(missing).rejects.toMatchObject({ kind: 'bug' })
      await answering()
    })

    it('select * returns the declared columns and no others', async () => {
      const id = await insertUser(store.db, { ...someUser, username: `plain${++lastOwner}` })
      const row = await store.db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(Object.keys(row)).toHaveLength(24)
    })
  })

  describe('text', () => {
    it('texts are equal only if every character is: case, accents, trailing spaces', async () => {
      const variants = ['case', 'Case', 'case ', 'cáse', 'ｃase']
      for (const key of variants) await option(`text.${key}`, key)
      for (const key of variants) {
        const rows = await store.db
          .selectFrom('options')
          .select('value')
          .where('key', '=', `text.${key}`)
          .execute()
        expect(rows).toEqual([{ value: key }])
      }
    })

    it('keys are ordered by code points', async () => {
      const keys = ['order.B', 'order.Z', 'order._', 'order.a', 'order.z', 'order.é', 'order.中', 'order.😀']
      for (const key of keys.toReversed()) await option(key)
      const listed = (await listOptions(store.db)).map(({ key }) => key)
      expect(listed.filter((key) => key.startsWith('order.'))).toEqual(keys)
    })

    it('the name filter ignores case and takes wildcards literally', async () => {
      const owner = ++lastOwner
      const names = ['100% Sure', '100 sure', 'a_b', 'aXb', 'c\\d', 'e!f', 'ÄPFEL']
      for (const name of names) await token({ user_id: owner, name })
      expect(await tokenNames(owner, '100%')).toEqual(['100% Sure'])
      expect(await tokenNames(owner, 'SURE')).toEqual(['100 sure', '100% Sure'])
      expect(await tokenNames(owner, 'A_B')).toEqual(['a_b'])
      expect(await tokenNames(owner, 'c\\D')).toEqual(['c\\d'])
      expect(await tokenNames(owner, '!')).toEqual(['e!f'])
      expect(await tokenNames(owner, 'äpf')).toEqual(['ÄPFEL'])
    })

    it('patterns are case-sensitive', async () => {
      const userId = ++lastOwner
      const models = ['gpt-4o', 'GPT-4o', 'gpt-4o-mini', 'gpt%4o']
      await insertLogRows(
        store.db,
        models.map((model_name) => ({ ...someLog, user_id: userId, model_name })),
      )
      const found = async (modelName: string) =>
        (await listLogs(store.db, { userId, modelName }, ALL)).map((row) => row.model_name)
      expect(await found('gpt-4o')).toEqual(['gpt-4o'])
      expect(await found('gpt%')).toEqual(['gpt%4o', 'gpt-4o-mini', 'gpt-4o'])
      expect(await found('%4o')).toEqual(['gpt%4o', 'GPT-4o', 'gpt-4o'])
      const preview = await token({ name: 'preview', key_preview: 'Abc…***xYz' })
      const edges = async (start: string, end: string) =>
        (await listTokens(store.db, { ownerId: lastOwner, keyEdges: { start, end } }, ALL)).map(
          ({ id }) => id,
        )
      expect(await edges('Abc…', '-')).toEqual([preview])
      expect(await edges('abc', 'yz')).toEqual([])
      expect(await edges('-', 'xYz')).toEqual([preview])
    })

    it('the group filter matches whole elements of the list, case-sensitively', async () => {
      const name = `groups${++lastOwner}`
      await insertChannel(store.db, { ...someChannel, name, group_names: 'default,VIP' }, () => ({
        key_sealed: '',
      }))
      const found = async (group: string) =>
        (await listChannels(store.db, { group, keyword: name }, { ...ALL, byId: true })).length
      expect([await found('VIP'), await found('vip'), await found('VI')]).toEqual([1, 0, 0])
    })
  })

  describe('rows', () => {
    it('rows get increasing ids that are never reused', async () => {
      const first = await token({ name: 'first' })
      const second = await token({ name: 'second' })
      await store.db.deleteFrom('tokens').where('id', '=', second).execute()
      const third = await token({ name: 'third' })
      expect(first < second && second < third).toBe(true)
    })

    it('the account of a token decides whether the token is unlimited', async () => {
      const ownerId = ++lastOwner
      const id = await token({ user_id: ownerId, unlimited_quota: 0 })
      const shown = async () =>
        (await listTokens(store.db, { ownerId }, ALL)).map((row) => row.unlimited_quota)
      expect(await shown()).toEqual([0])
      const account = accountRow(id, { id: id * 4 + 1, kind: 'token', unlimited: 1 })
      await store.db.insertInto('account').values(account).execute()
      expect(await shown()).toEqual([1])
      await updateToken(store.db, { id, ownerId, change: { unlimited_quota: 0 } })
      const stored = store.db.selectFrom('tokens').select('unlimited_quota').where('id', '=', id)
      expect(await stored.executeTakeFirst()).toEqual({ unlimited_quota: 1 })
    })

    it('an update that changes no value still counts its row', async () => {
      const ownerId = ++lastOwner
      const id = await token({ user_id: ownerId, name: 'same' })
      expect(await updateToken(store.db, { id, ownerId, change: { name: 'same' } })).toBe(true)
      expect(await updateToken(store.db, { id, ownerId: 999_999, change: { name: 'same' } })).toBe(false)
    })

    it('rows of equal priority are neither repeated nor lost across pages', async () => {
      const name = `page${++lastOwner}`
      for (let index = 0; index < 23; index++)
        await insertChannel(store.db, { ...someChannel, name, priority: index % 3 }, () => ({
          key_sealed: '',
        }))
      const offsets = [0, 5, 10, 15, 20]
      const page = (offset: number) =>
        listChannels(store.db, { keyword: name }, { offset, limit: 5, byId: false })
      const rows = (await Promise.all(offsets.map(page))).flat()
      expect(new Set(rows.map(({ id }) => id)).size).toBe(23)
      const ranks = rows.map(({ priority, id }) => priority * 1e9 + id)
      expect(ranks).toEqual(ranks.toSorted((left, right) => right - left))
    })

    it('several users may have an empty address, but no other address in common', async () => {
      await user('')
      await user('')
      await user('a@b.example')
      await expect(user('a@b.example')).rejects.toSatisfy(isUniqueViolation)
    })

    it('a log row is written once per request id', async () => {
      const row = { ...someLog, user_id: ++lastOwner, request_id: `once-${lastOwner}` }
      await insertLogRows(store.db, [row, { ...row, request_id: null }])
      await insertLogRows(store.db, [
        { ...row, quota: 99n },
        { ...row, request_id: `other-${lastOwner}` },
      ])
      const stored = await listLogs(store.db, { userId: lastOwner }, ALL)
      expect(stored.map(({ quota }) => quota)).toEqual([10n, 10n, 10n])
    })
  })

  describe('transactions', () => {
    it('a transaction reads its own writes and is rolled back as a whole when it fails', async () => {
      const failed = store.db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('options')
          .values({ key: 'undone', value: '1', version: 1, updated_ms: 1, updated_by: 0 })
          .execute()
        const inside = await transaction
          .selectFrom('options')
          .select('key')
          .where('key', '=', 'undone')
          .execute()
        expect(inside).toHaveLength(1)
        throw new Error('on purpose')
      })
      await expect(failed).rejects.toThrow('on purpose')
      const after = await store.db.selectFrom('options').select('key').where('key', '=', 'undone').execute()
      expect(after).toEqual([])
    })

    it('a transaction that violates a constraint leaves the connection usable', async () => {
      const broken = store.db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('account')
          .values(accountRow(++lastOwner, { granted: 1n }))
          .execute()
      })
      await expect(broken).rejects.toBeInstanceOf(StoreError)
      await Promise.all(Array.from({ length: 12 }, answering))
    })

    it('concurrent writes of an option get consecutive versions', async () => {
      const key = 'raced'
      await Promise.all(Array.from({ length: 20 }, (_, index) => option(key, String(index))))
      const changes = await store.db
        .selectFrom('option_changes')
        .select('version')
        .where('key', '=', key)
        .orderBy('version')
        .execute()
      expect(changes.map(({ version }) => version)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      )
    })

    it('a price book that is published concurrently gets one version', async () => {
      const book = { contentHash: 'raced', content: '{}', nowMs: 1 }
      const versions = await Promise.all(Array.from({ length: 8 }, () => publishPriceBook(store.db, book)))
      expect(new Set(versions).size).toBe(1)
    })

    it('exactly one of several concurrent setups succeeds', async () => {
      const audit = { actor_id: 0, action: 'setup', entity: 'user', before_json: null, after_json: null }
      const setup = (name: string) =>
        writeSetup(store.db, {
          version: '1',
          nowMs: 1,
          root: { ...someUser, username: name, role: 100 },
          options: { 'setup.by': name },
          audit: { ...audit, entity_id: '', address: '', created_ms: 1 },
        })
      const runs = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => setup(`setup-${name}`)))
      const lost = runs.filter((run) => run.status === 'rejected')
      expect(lost).toHaveLength(3)
      for (const { reason } of lost) expect(reason).toSatisfy(isUniqueViolation)
      const roots = await store.db.selectFrom('users').select('id').where('role', '=', 100).execute()
      expect(roots).toHaveLength(1)
    })
  })
})
