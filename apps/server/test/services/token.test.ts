import { tokenRoutes } from '@tollgate/contract/token'
import { periodAt } from '@tollgate/kit/calendar-period'
import { sha256Hex } from '@tollgate/kit/ids'
import { accountId } from '@tollgate/ledger/account'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'

const alice = actor(7)
const mallory = actor(8)

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

async function create(body: Record<string, unknown> = {}, as = alice): Promise<{ id: number; key: string }> {
  return (await harness.call(tokenRoutes.create, { as, body: { name: 'cli', ...body } })).data
}

async function read(id: number) {
  return (await harness.call(tokenRoutes.get, { as: alice, params: { id } })).data
}

function update(body: Record<string, unknown>, query: Record<string, unknown> = {}) {
  return harness.call(tokenRoutes.update, { as: alice, body, query })
}

async function search(query: Record<string, string>): Promise<number[]> {
  const { data } = await harness.call(tokenRoutes.search, { as: alice, query })
  return data.map(({ id }) => id)
}

const nowSeconds = () => Math.floor(harness.clock.nowMs() / 1000)

/** A token that expired a second ago, after a lifetime of five seconds. */
async function createExpired() {
  const token = await create({ expired_time: nowSeconds() + 5, remain_quota: 5 })
  harness.clock.advance(6_000)
  return token
}

const enable = (id: number) => update({ id, status: 1 }, { status_only: 'true' })

/** Spends quota of a token as a call does. */
async function spend(id: number, units: bigint): Promise<void> {
  const holdId = `call-${Math.random()}`
  await harness.ledger.credit({ key: `gift:${holdId}`, account: accountId('user', alice.id), amount: units })
  const hold = { holdId, userAccount: accountId('user', alice.id), tokenAccount: accountId('token', id) }
  await harness.ledger.reserve({ ...hold, amount: units, ceiling: units, priceJson: '{}' })
  await harness.ledger.settle({ holdId, amount: units, flags: [], usageJson: '' })
}

describe('a quota edited by a console that does not send the value it loaded', () => {
  const START = 100_000

  it('each edit adds exactly the difference, while calls spend the quota', async () => {
    const { id } = await create({ remain_quota: START })
    for (let edit = 0; edit < 14; edit++) {
      const shown = await read(id)
      await spend(id, 300n + BigInt(edit))
      const { data } = await update({ ...shown, id, remain_quota: shown.remain_quota + 700 })
      expect(data.remain_quota).toBe(shown.remain_quota + 700 - 300 - edit)
    }
    const { remain_quota: remaining, used_quota: used } = await read(id)
    expect(remaining + used).toBe(START + 14 * 700)
    expect((await harness.ledger.audit()).findings).toEqual([])
  })

  it('an edit of the name does not give spent quota back', async () => {
    const { id } = await create({ remain_quota: START })
    const { data } = await harness.call(tokenRoutes.list, { as: alice, query: {} })
    await spend(id, 300n)
    expect((await update({ ...data[0], id, name: 'new' })).data.remain_quota).toBe(START - 300)
  })

  it('a quota is reduced to zero, not below, when more was spent than remained', async () => {
    const { id } = await create({ remain_quota: START })
    const shown = await read(id)
    await spend(id, 300n)
    expect((await update({ ...shown, remain_quota: 100 })).data.remain_quota).toBe(0)
  })

  it('a script that never read the token sets the quota to the given value', async () => {
    const { id } = await create({ remain_quota: START })
    await read(id)
    await spend(id, 300n)
    const script = actor(7, { via: 'access-token', provenMs: 0 })
    const { data } = await harness.call(tokenRoutes.update, { as: script, body: { id, remain_quota: START } })
    expect(data.remain_quota).toBe(START)
  })
})

/** A token of 500 that was charged 503. */
async function overrun(): Promise<number> {
  const { id } = await create({ remain_quota: 500 })
  await spend(id, 400n)
  const holdId = `dear-${id}`
  await harness.ledger.credit({ key: holdId, account: accountId('user', alice.id), amount: 500n })
  const hold = { holdId, userAccount: accountId('user', alice.id), tokenAccount: accountId('token', id) }
  await harness.ledger.reserve({ ...hold, amount: 100n, ceiling: 300n, priceJson: '{}' })
  await harness.ledger.settle({ holdId, amount: 103n, flags: [], usageJson: '' })
  return id
}

describe('a token that was overrun by a call that cost more than it had', () => {
  it('shows a rest of zero, and the overrun beside it', async () => {
    const id = await overrun()
    expect(await read(id)).toMatchObject({ remain_quota: 0, overrun_quota: 3, used_quota: 503, status: 4 })
    const { data } = await harness.call(tokenRoutes.list, { as: alice, query: {} })
    expect(data.find((token) => token.id === id)).toMatchObject({ remain_quota: 0, overrun_quota: 3 })
  })

  it.each([
    ['that sends the value it loaded', { expected_remain_quota: 0 }],
    ['that does not', {}],
  ])('a form %s sets what remains after the overrun is paid', async (_what, more) => {
    const id = await overrun()
    await read(id)
    const { data } = await update({ id, remain_quota: 10, ...more })
    expect(data).toMatchObject({ remain_quota: 10, overrun_quota: 0, used_quota: 503 })
    expect((await harness.ledger.audit()).findings).toEqual([])
  })

  it('an edit of the name leaves the overrun', async () => {
    const id = await overrun()
    const { data } = await update({ ...(await read(id)), id, name: 'new' })
    expect(data).toMatchObject({ remain_quota: 0, overrun_quota: 3 })
  })

  it('has no overrun once it is unlimited', async () => {
    const id = await overrun()
    const { data } = await update({ id, unlimited_quota: true })
    expect(data).toMatchObject({ overrun_quota: 0 })
  })
})

describe('a new token', () => {
  it('the response has id and key, and the keyring knows the key at once', async () => {
    const { id, key } = await create({ remain_quota: 500_000 })
    expect(key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(harness.snapshots.keyring.byKeyHash(sha256Hex(key))).toMatchObject({
      id,
      name: 'cli',
      isUnlimited: false,
    })
    expect(await harness.ledger.balance(accountId('token', id))).toMatchObject({ remaining: 500_000n })
  })

  it('the defaults are: never expires, no quota, every model and address, the own group', async () => {
    const { id } = await create()
    expect(await read(id)).toMatchObject({
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: false,
      model_limits_enabled: false,
      allow_ips: '',
      group: '',
      DeletedAt: null,
    })
  })

  it.each([
    ['no name', { name: ' ' }, 'token_name_missing'],
    ['a name of 51 characters', { name: '名'.repeat(51) }, 'token_name_too_long'],
    ['an expiry of 0, which does not mean never', { expired_time: 0 }, 'token_expiry_invalid'],
    ['an expiry that has passed', { expired_time: 5 }, 'token_expiry_passed'],
    ['an expiry in milliseconds', { expired_time: 1_801_418_400_000 }, 'token_expiry_invalid'],
    ['a negative quota', { remain_quota: -1 }, 'token_quota_out_of_range'],
    ['a group that the owner may not use', { group: 'staff' }, 'token_group_not_usable'],
    ['an invalid address', { allow_ips: '203.0.113.0/24\nhome' }, 'token_address_invalid'],
    ['group auto, where nobody says which', { group: 'auto' }, 'token_group_order_missing'],
    ['an order with a group of others', { group_order: 'vip,staff' }, 'token_group_not_usable'],
    ['six groups to try', { group_order: 'a,b,c,d,e,f' }, 'token_groups_too_many'],
    ['a budget of nothing', { budget_period: 'day' as const }, 'token_budget_missing'],
    ['a limit to no model', { model_limits_enabled: true, model_limits: ' , ' }, 'token_models_missing'],
  ])('a token is refused with %s', async (_title, body, code) => {
    await expect(create(body)).rejects.toThrow(code)
    expect((await harness.call(tokenRoutes.list, { as: alice })).data).toEqual([])
  })

  it('a token may have a public group and a name of 30 characters with more than 30 bytes', async () => {
    const { id } = await create({ group: 'vip', name: '名'.repeat(30) })
    expect(await read(id)).toMatchObject({ group: 'vip', name: '名'.repeat(30) })
  })

  it('a group that was withdrawn stays while other fields change, and cannot be set again', async () => {
    const { id } = await create()
    await harness.store.updateTable('tokens').set({ group_name: 'staff' }).where('id', '=', id).execute()
    const before = await read(id)
    await expect(update({ id, group: 'staff' })).rejects.toThrow('token_group_not_usable')
    await expect(update({ id, name: before.name, group: ' staff ' })).rejects.toThrow(
      'token_group_not_usable',
    )
    await update({ id, group: 'staff', name: 'renamed' })
    await update({ id, group: 'staff', remain_quota: 7 })
    expect(await read(id)).toMatchObject({ group: 'staff', name: 'renamed', remain_quota: 7 })
    await update({ id, group: '' })
    expect(await read(id)).toMatchObject({ group: '' })
  })

  it('a token may try several groups in order', async () => {
    const { id, key } = await create({ group: 'auto', group_order: 'vip, default', cross_group_retry: true })
    expect(await read(id)).toMatchObject({
      group: 'auto',
      group_order: 'vip,default',
      cross_group_retry: true,
    })
    expect(harness.snapshots.keyring.byKeyHash(sha256Hex(key))).toMatchObject({
      groupOrder: ['vip', 'default'],
      triesNextGroup: true,
    })
    await expect(update({ id, group_order: '' })).rejects.toThrow('token_group_order_missing')
    await update({ id, group: '', group_order: '' })
  })

  it('Unlike new-api: a user with a thousand tokens cannot create another', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      user_id: alice.id,
      name: 'x',
      key_hash: `hash ${index}`,
      key_sealed: '',
      key_preview: '',
      status: 1,
      created_time: 0,
      accessed_time: 0,
      expired_time: -1,
      unlimited_quota: 0 as const,
      model_limits_enabled: 0 as const,
      model_limits: '',
      allow_ips: '',
      group_name: '',
      deleted_ms: null,
    }))
    await harness.store.insertInto('tokens').values(rows).execute()
    await expect(create()).rejects.toThrow('token_count_reached')
  })
})

describe('limits of a token', () => {
  it('limits are stored, known to the keyring at once, and removed by 0', async () => {
    const limits = { rpm_limit: 5, tpm_limit: 900, max_parallel_requests: 2 }
    const { id, key } = await create({ ...limits, budget_quota: 40, budget_period: 'week' })
    const entry = () => harness.snapshots.keyring.byKeyHash(sha256Hex(key))?.limits
    expect(await read(id)).toMatchObject({ ...limits, budget_quota: 40, budget_period: 'week' })
    expect(entry()).toEqual({
      callsPerMinute: 5,
      tokensPerMinute: 900,
      parallelCalls: 2,
      budget: { units: 40n, period: 'week' },
    })
    await expect(update({ id, budget_quota: 0 })).rejects.toThrow('token_budget_missing')
    await update({ id, rpm_limit: 0, tpm_limit: 0, max_parallel_requests: 0, budget_period: '' })
    expect(entry()).toBeUndefined()
  })

  it('limits are shown with their current use and the time when the budget resets', async () => {
    const { id } = await create({ unlimited_quota: true, budget_quota: 100, budget_period: 'day' })
    await spend(id, 30n)
    const nowMs = harness.clock.nowMs()
    const { sinceMs, untilMs } = periodAt('day', nowMs)
    const budget = { units: 100n, sinceMs }
    const accounts = { userAccount: accountId('user', alice.id), tokenAccount: accountId('token', id) }
    await harness.ledger.credit({ key: 'more', account: accounts.userAccount, amount: 100n })
    const call = { holdId: 'held', ...accounts, amount: 25n, ceiling: 25n, priceJson: '{}' }
    await harness.ledger.reserve({ ...call, limits: { budget } })
    expect(await read(id)).toMatchObject({
      open_requests: 1,
      budget_used: 25,
      budget_reset_time: untilMs / 1000,
    })
    await harness.ledger.release({ holdId: 'held' })
    expect(await read(id)).toMatchObject({ open_requests: 0, budget_used: 0 })
  })
})

describe('keys of tokens', () => {
  it('no list, search, read or update returns a key, and no table contains one', async () => {
    const { id, key } = await create()
    const answers = [
      await harness.call(tokenRoutes.list, { as: alice }),
      await harness.call(tokenRoutes.search, { as: alice, query: { token: key } }),
      await harness.call(tokenRoutes.get, { as: alice, params: { id } }),
      await update({ id, name: 'other' }),
      await update({ id, status: 2 }, { status_only: 'true' }),
      await harness.store.selectFrom('tokens').selectAll().execute(),
      await harness.store.selectFrom('audit_log').selectAll().execute(),
    ]
    const text = JSON.stringify(answers, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(text).not.toContain(key.slice(3, -3))
    expect((await read(id)).key).toBe(`${key.slice(0, 3)}***${key.slice(-3)}`)
  })

  it('a key is revealed to its owner, with an audit row', async () => {
    const { id, key } = await create()
    const { data } = await harness.call(tokenRoutes.reveal, { as: alice, params: { id } })
    expect(data).toEqual({ id, key })
    const rows = await harness.store
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'reveal')
      .execute()
    expect(rows).toMatchObject([{ actor_id: alice.id, entity: 'token', entity_id: String(id) }])
  })

  it.each([
    ['a day after the password was proven', { provenMs: dayAgo() }],
    ['with an access token', { via: 'access-token' as const, provenMs: 0 }],
  ])('a key is not revealed %s', async (_title, fields) => {
    const { id } = await create()
    const late = harness.call(tokenRoutes.reveal, { as: actor(alice.id, fields), params: { id } })
    await expect(late).rejects.toThrow('recent_sign_in_needed')
  })
})

function dayAgo(): number {
  return actor(0).provenMs - 24 * 3_600_000
}

describe("another user's token", () => {
  it('every operation on it is refused like one on a missing token', async () => {
    const { id } = await create()
    const params = { id }
    const attempts = [
      harness.call(tokenRoutes.get, { as: mallory, params }),
      harness.call(tokenRoutes.reveal, { as: mallory, params }),
      harness.call(tokenRoutes.remove, { as: mallory, params }),
      harness.call(tokenRoutes.update, { as: mallory, body: { id, name: 'mine' } }),
      harness.call(tokenRoutes.update, { as: mallory, body: { id, status: 2 }, query: { status_only: '1' } }),
      harness.call(tokenRoutes.update, { as: mallory, body: { id, remain_quota: 9 } }),
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toThrow('not_found')
    expect((await harness.call(tokenRoutes.list, { as: mallory })).data).toEqual([])
    expect(await read(id)).toMatchObject({ name: 'cli', remain_quota: 0 })
  })
})

describe('lists of tokens', () => {
  it('pages start at 0, newest first, with the total beside the array', async () => {
    for (let i = 0; i < 12; i++) await create({ name: `token ${i}` })
    const first = await harness.call(tokenRoutes.list, { as: alice })
    const second = await harness.call(tokenRoutes.list, { as: alice, query: { p: '1', size: '10' } })
    expect(first.data.map(({ name }) => name)[0]).toBe('token 11')
    expect([first.data.length, second.data.length]).toEqual([10, 2])
    expect(first.extra).toEqual({ total: 12 })
  })

  it('tokens are found by name, with wildcards taken literally, and by key', async () => {
    const percent = await create({ name: '100%' })
    await create({ name: '1000' })
    expect(await search({ keyword: '0%' })).toEqual([percent.id])
    expect(await search({ keyword: '_' })).toEqual([])
    expect(await search({ token: `sk-${percent.key}` })).toEqual([percent.id])
    expect(await search({ token: percent.key.slice(0, 3) })).toContain(percent.id)
    const preview = `${percent.key.slice(0, 3)}***${percent.key.slice(-3)}`
    for (const keyword of [percent.key, `sk-${percent.key}`, preview, `sk-${preview}`])
      expect(await search({ keyword })).toEqual([percent.id])
    expect(await search({ keyword: 'sk-' })).toEqual([])
  })
})

describe('the quota of a token', () => {
  it('the quota changes by the difference to the value that the form loaded', async () => {
    const { id } = await create({ remain_quota: 500 })
    const { data } = await update({ id, remain_quota: 800, expected_remain_quota: 500 })
    expect(data.remain_quota).toBe(800)
  })

  it('an edit is refused as a whole when quota was used since the form loaded it', async () => {
    const { id } = await create({ remain_quota: 500 })
    await spend(id, 120n)
    const late = update({ id, name: 'new name', remain_quota: 800, expected_remain_quota: 500 })
    await expect(late).rejects.toThrow('token_quota_changed')
    expect(await read(id)).toMatchObject({ name: 'cli', remain_quota: 380, used_quota: 120 })
  })

  it('a form that saves the quota it loaded changes nothing', async () => {
    const { id } = await create({ remain_quota: 500 })
    await spend(id, 120n)
    const { data } = await update({ id, name: 'new', remain_quota: 500, expected_remain_quota: 500 })
    expect(data).toMatchObject({ name: 'new', remain_quota: 380 })
  })

  it('a token can become unlimited and limited again, and the ledger balances', async () => {
    const { id } = await create({ remain_quota: 500 })
    await update({ id, unlimited_quota: true, remain_quota: -3 })
    await spend(id, 10_000n)
    expect(await read(id)).toMatchObject({ unlimited_quota: true, status: 1, used_quota: 10_000 })
    const { data } = await update({ id, unlimited_quota: false, remain_quota: 70 })
    expect(data).toMatchObject({ unlimited_quota: false, remain_quota: 70 })
    const { findings } = await harness.ledger.audit()
    // The calls of this test have no real price, so the audit cannot recompute them.
    expect(findings.filter(({ rule }) => rule !== 'I9')).toEqual([])
  })

  it('of ten concurrent edits one succeeds and the others are refused', async () => {
    const { id } = await create({ remain_quota: 500 })
    const edits = Array.from({ length: 10 }, (_, index) =>
      update({ id, remain_quota: 1000 + index, expected_remain_quota: 500 }),
    )
    const results = await Promise.allSettled(edits)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await read(id)).remain_quota).toBeGreaterThanOrEqual(1000)
  })

  it('ten concurrent edits that limit an unlimited token set the limit once', async () => {
    const { id } = await create({ unlimited_quota: true })
    const edits = Array.from({ length: 10 }, () => update({ id, unlimited_quota: false, remain_quota: 1000 }))
    await Promise.allSettled(edits)
    expect(await read(id)).toMatchObject({ unlimited_quota: false, remain_quota: 1000 })
  })
})

describe('the status of a token', () => {
  it('expired and exhausted tokens are listed as such without a stored status', async () => {
    const dead = await createExpired()
    const empty = await create()
    const fine = await create({ unlimited_quota: true })
    const { data } = await harness.call(tokenRoutes.list, { as: alice })
    const status = Object.fromEntries(data.map((token) => [token.id, token.status]))
    expect(status).toEqual({ [dead.id]: 3, [empty.id]: 4, [fine.id]: 1 })
  })

  it('an expired or exhausted token cannot be enabled', async () => {
    const dead = await createExpired()
    const empty = await create()
    await expect(enable(dead.id)).rejects.toThrow('token_enable_expired')
    await expect(enable(empty.id)).rejects.toThrow('token_enable_exhausted')
  })

  it('an expired token can be saved and disabled, if its expiry stays or is in the future', async () => {
    const { id } = await createExpired()
    const shown = await read(id)
    expect((await update({ ...shown, name: 'new' })).data).toMatchObject({ name: 'new', status: 3 })
    expect((await update({ id, status: 2 }, { status_only: 'true' })).data.status).toBe(2)
    await expect(update({ id, expired_time: shown.expired_time - 60 })).rejects.toThrow('token_expiry_passed')
    expect((await update({ id, expired_time: nowSeconds() + 60 })).data.expired_time).toBe(nowSeconds() + 60)
  })

  it('a token is enabled again when the reason of its automatic disabling is gone', async () => {
    const { id } = await create({ remain_quota: 5 })
    await harness.store.updateTable('tokens').set({ status: 4 }).where('id', '=', id).execute()
    const { data } = await update({ id, remain_quota: 50, expected_remain_quota: 5 })
    expect(data.status).toBe(1)
  })

  it.each([0, 3, 4, 99])('Unlike new-api: a caller cannot set the status %d', async (status) => {
    const { id } = await create({ remain_quota: 5 })
    await expect(update({ id, status }, { status_only: 'true' })).rejects.toThrow('token_status_unknown')
  })

  it('the status changes only with status_only, and then nothing else does', async () => {
    const { id } = await create({ remain_quota: 5 })
    const off = await update({ id, status: 2, name: 'ignored' }, { status_only: 'true' })
    expect(off.data).toMatchObject({ status: 2, name: 'cli' })
    const renamed = await update({ id, status: 1, name: 'new' })
    expect(renamed.data).toMatchObject({ status: 2, name: 'new' })
  })

  it('an update leaves other members unchanged', async () => {
    const { id } = await create({ remain_quota: 5, allow_ips: '203.0.113.7', group: 'vip' })
    const { data } = await update({ id, name: 'new' })
    expect(data).toMatchObject({ remain_quota: 5, allow_ips: '203.0.113.7', group: 'vip', expired_time: -1 })
  })
})

it('a deleted token is gone from the list and from the keyring', async () => {
  const { id, key } = await create()
  await harness.call(tokenRoutes.remove, { as: alice, params: { id } })
  expect((await harness.call(tokenRoutes.list, { as: alice })).data).toEqual([])
  expect(harness.snapshots.keyring.byKeyHash(sha256Hex(key))).toBeUndefined()
  const again = harness.call(tokenRoutes.remove, { as: alice, params: { id } })
  await expect(again).rejects.toThrow('not_found')
})

it('the unlimited flag of the row follows the ledger in concurrent edits', async () => {
  const { id } = await create({ remain_quota: 5 })
  const { ledger } = harness
  const adjust = ledger.adjust.bind(ledger)
  // Another edit happens between reading the row and changing it.
  ledger.adjust = async (input) => {
    ledger.adjust = adjust
    await update({ id, unlimited_quota: true })
    return adjust(input)
  }
  await update({ id, unlimited_quota: false, remain_quota: 10 })
  const row = await harness.store
    .selectFrom('tokens')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const balance = await ledger.balance(accountId('token', id))
  expect(balance?.unlimited).toBe(row.unlimited_quota === 1)
  expect((await read(id)).unlimited_quota).toBe(balance?.unlimited)
})

it('several tokens are deleted at once, only those of the caller', async () => {
  const [first, second, theirs] = [await create(), await create(), await create({}, mallory)]
  const ids = [first.id, second.id, second.id, theirs.id, 999_999]
  expect((await harness.call(tokenRoutes.removeMany, { as: alice, body: { ids } })).data).toBe(2)
  expect(harness.snapshots.keyring.byKeyHash(sha256Hex(first.key))).toBeUndefined()
  expect(harness.snapshots.keyring.byKeyHash(sha256Hex(theirs.key))).toBeDefined()
})

it('several tokens are enabled or disabled at once, only those of the caller, and the refused ones are named', async () => {
  const works = { unlimited_quota: true }
  const [first, second, theirs] = [await create(works), await create(works), await create(works, mallory)]
  const empty = await create({ name: 'empty' })
  const ids = [first.id, second.id, second.id, empty.id, theirs.id]
  const setAll = async (status: 1 | 2) =>
    (await harness.call(tokenRoutes.setStatusMany, { as: alice, body: { ids, status } })).data
  expect(await setAll(2)).toMatchObject({ changed: 3, refused: [{ id: theirs.id, name: '' }] })
  expect((await read(first.id)).status).toBe(2)
  const { changed, refused } = await setAll(1)
  expect(changed).toBe(2)
  expect(refused).toMatchObject([{ id: empty.id, name: 'empty' }, { id: theirs.id }])
  expect([(await read(first.id)).status, (await read(empty.id)).status]).toEqual([1, 2])
  expect(harness.snapshots.keyring.byKeyHash(sha256Hex(theirs.key))).toMatchObject({ status: 1 })
})
