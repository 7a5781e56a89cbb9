import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as notices from '../src/accounts/notices.ts'
import { countAudit, insertAudit, listAudit } from '../src/accounts/audit-log.ts'
import * as balances from '../src/trade/balances.ts'
import * as books from '../src/operations/snapshot-reads.ts'
import * as channelKeys from '../src/channels/keys.ts'
import * as channelTraffic from '../src/channels/traffic.ts'
import * as channels from '../src/channels/channels.ts'
import * as channelPages from '../src/channels/channel-pages.ts'
import * as undos from '../src/accounts/email-undos.ts'
import { countInAudit } from '../src/accounts/counted-audit.ts'
import { findCallOfAnswer, findCallOfRequest } from '../src/logs/find-call.ts'
import { sumUsage } from '../src/usage/sums.ts'
import { findLogs } from '../src/logs/found-logs.ts'
import * as jobRuns from '../src/operations/job-runs.ts'
import { insertLogRows } from '../src/logs/rows.ts'
import * as followLogs from '../src/logs/follow.ts'
import * as logs from '../src/logs/logs.ts'
import * as callSessions from '../src/logs/call-sessions.ts'
import * as low from '../src/trade/low-balances.ts'
import * as managed from '../src/accounts/managed-users.ts'
import * as codes from '../src/accounts/one-time-codes.ts'
import { countOptionChanges, findOptionChange, listOptionChanges } from '../src/operations/option-changes.ts'
import { findOption, listOptions, removeOptions, writeOption } from '../src/operations/options.ts'
import * as outbox from '../src/operations/outbox.ts'
import { findPriceBook, publishPriceBook } from '../src/trade/price-books.ts'
import type { Db } from '../src/tables/schema.ts'
import { listEncryptedSamples } from '../src/channels/encrypted-samples.ts'
import { removeExpired } from '../src/accounts/remove-expired.ts'
import * as sessions from '../src/accounts/sessions.ts'
import { findSetupRoot, isSetUp, writeSetup } from '../src/accounts/setup.ts'
import { markToken } from '../src/accounts/token-status.ts'
import * as tokens from '../src/accounts/tokens.ts'
import * as users from '../src/accounts/users.ts'
import * as userChanges from '../src/accounts/user-changes.ts'
import { someChannel, someLog, someToken, someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

const ALL = { offset: 0, limit: 100 }
const FOLDER = new URL('../src/', import.meta.url)
/** The test suite of the import runs the queries of these files. */
const OF_THE_IMPORT = [
  'transfer/copy-table.ts',
  'transfer/imported-rows.ts',
  'database/next-id.ts',
  'transfer/unfinished-import.ts',
  'operations/watermarks.ts',
]
const FOLDERS_WITHOUT_QUERIES = /^(migrations|mysql|postgres|server|sqlite)\//
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

const answered = (id: string) => JSON.stringify({ operation: 'chat', answer_id: id })
const oneMore = (before: string | undefined) => String(Number(before ?? 0) + 1)

/** Runs each query once on each engine, so that no query uses SQL that only one of them understands. */
describe.each(engines)('on $name', ({ place: newPlace }) => {
  let place: Place
  let db: Db

  beforeAll(async () => {
    place = await newPlace()
    ;({ db } = await place.open())
  })
  afterAll(() => place.remove())

  it('setup inserts the super admin and its audit row', async () => {
    expect(await isSetUp(db)).toBe(false)
    expect(await findSetupRoot(db)).toBeUndefined()
    const audit = { actor_id: 0, action: 'setup', entity: 'user', entity_id: '', address: '', created_ms: 1 }
    const root = { ...someUser, username: 'root', role: 100 }
    const id = await writeSetup(db, {
      version: '1',
      nowMs: 1,
      root,
      options: { a: '1', b: '2' },
      audit: { ...audit, before_json: null, after_json: null },
    })
    expect(await isSetUp(db)).toBe(true)
    expect(await findSetupRoot(db)).toBe(id)
    expect(await users.hasRootUser(db)).toBe(true)
    expect(await users.firstRootId(db)).toBe(id)
    const change = { ...audit, entity: 'option', entity_id: 'Notice', actor_id: id ?? 0, created_ms: 5000 }
    await insertAudit(db, { ...change, before_json: '"50%"', after_json: null })
    const filter = { action: 'setup', fromMs: 5000, untilMs: 5000, beforeId: 1000, exceptEntities: ['user'] }
    const rows = await listAudit(db, { ...filter, keyword: '0%"' }, ALL)
    expect(rows).toMatchObject([{ entity_id: 'Notice', actor_name: 'root' }])
    expect(await countAudit(db, { actorId: id, entity: 'option', entityId: 'Notice' }, 10)).toBe(1)
    expect(await countAudit(db, { keyword: 'ROOT' }, 10)).toBe(1)
    expect(await countAudit(db, { keyword: '5_%' }, 10)).toBe(0)
    expect(await countAudit(db, {}, 1)).toBe(1)
  })

  it('an audit row counts several responses of a session', async () => {
    const idHash = 'counted session'
    const times = { created_ms: 1, seen_ms: 1, proven_ms: 1, expires_ms: 1000 }
    await sessions.insertSession(db, { id_hash: idHash, user_id: 7, address: '', user_agent: '', ...times })
    const row = { actor_id: 7, action: 'reveal', entity: 'token-keys', entity_id: 's', address: '' }
    const note = (created_ms: number, sinceMs: number) =>
      countInAudit(db, { idHash, row: { ...row, created_ms }, sinceMs, count: oneMore })
    await Promise.all([note(100, 50), note(100, 50), note(101, 50)])
    await note(200, 150)
    const rows = await listAudit(db, { entity: 'token-keys' }, ALL)
    expect(rows.map(({ after_json }) => after_json)).toEqual(['1', '3'])
  })

  it('users are inserted, changed and found', async () => {
    const id = await userChanges.insertUser(db, { ...someUser, email: 'a@b.example', aff_code: 'code' })
    await userChanges.setAccessTokenHash(db, { id, hash: 'token hash' })
    await userChanges.countInvited(db, id)
    await userChanges.updateUser(db, { id, change: { display_name: 'Alice B.' } })
    const shown = { id, display_name: 'Alice B.', aff_count: 1, has_access_token: 1 }
    expect(await users.findUser(db, id)).toMatchObject(shown)
    expect(await users.findUserByAccessToken(db, 'token hash')).toMatchObject({ id })
    expect(await users.findUserForSignIn(db, 'ALICE')).toMatchObject({ id })
    expect(await users.findUserForSignIn(db, 'A@B.example')).toMatchObject({ id })
    expect(await users.findPasswordHash(db, id)).toMatchObject({ password_hash: 'hash' })
    expect(await users.isUsernameTaken(db, 'aLICE')).toBe(true)
    expect(await users.userIdNamed(db, 'alice')).toBe(id)
    expect(await users.usernames(db, [id])).toEqual(new Map([[id, 'Alice']]))
    expect(await users.findInviter(db, 'code')).toBe(id)
    expect(await users.countUserCalls(db, id)).toBe(0)
    expect(await users.findUserByEmail(db, 'A@b.example')).toEqual({ id, isDeleted: false })
    await userChanges.setEmail(db, { id, email: 'New@b.example' })
    await userChanges.setSetting(db, { id, setting: '{}' })
    await userChanges.noteCheckIn(db, { id, nowMs: 7 })
    expect(await userChanges.setAffCode(db, { id, code: 'other' })).toBe('code')
    await userChanges.markDefaultPassword(db, id)
    expect(await users.findUser(db, id)).toMatchObject({ has_default_password: 1 })
    const changed = { email: 'new@b.example', setting: '{}', last_check_in_ms: 7 }
    expect(await users.findUser(db, id)).toMatchObject(changed)
    expect(ids(await books.readUsers(db))).toContain(id)
    expect(await books.readUser(db, id)).toMatchObject({ username: 'Alice' })
  })

  it('administrators list, ban and deactivate users', async () => {
    const named = { ...someUser, username: 'Mallory_%', email: 'm@b.example' }
    const id = await userChanges.insertUser(db, named)
    const filter = { keyword: 'y_%', group: 'default', role: 1, status: 1, isDeactivated: false }
    expect(await managed.listManagedUsers(db, { ...filter, beforeId: id + 1 }, ALL)).toMatchObject([
      { id, email: 'm@b.example', has_access_token: 0 },
    ])
    expect(await managed.countManagedUsers(db, { keyword: String(id) })).toBe(1)
    expect(await managed.countManagedUsers(db, { keyword: 'lory%' })).toBe(0)
    const seen = { role: 1, status: 1 }
    const ban = { id, seen, change: { status: 2 } }
    expect(await managed.updateManagedUser(db, ban)).toBe(true)
    expect(await managed.updateManagedUser(db, ban)).toBe(false)
    const same = { id, seen: { role: 1, status: 2 }, change: { status: 2 } }
    expect(await managed.updateManagedUser(db, same)).toBe(true)
    const remove = { id, seen: same.seen, change: { deleted_ms: 5, username: 'Mallory' } }
    expect(await managed.updateManagedUser(db, remove)).toBe(true)
    expect(await managed.findManagedUser(db, id)).toMatchObject({ username: 'Mallory', deleted_ms: 5 })
    expect(await managed.countManagedUsers(db, { isDeactivated: true })).toBe(1)
    expect(await managed.deletedAmong(db, [id, id + 1])).toEqual(new Set([id]))
    expect(await managed.deletedAmong(db, [])).toEqual(new Set())
    expect(await managed.deletedBetween(db, { afterMs: 4, untilMs: 5 })).toEqual([id])
    expect(await managed.deletedBetween(db, { afterMs: 5, untilMs: 9 })).toEqual([])
    expect(await managed.countLiveRoots(db)).toBe(1)
    expect(await managed.callsOf(db, [id])).toEqual(new Map())
    expect(await managed.lastSeenOf(db, { ids: [], nowMs: 1 })).toEqual(new Map())
  })

  it('sessions are inserted, listed and removed', async () => {
    const userId = await userChanges.insertUser(db, { ...someUser, username: 'with session' })
    const times = { created_ms: 1, seen_ms: 1, proven_ms: 1, expires_ms: 100 }
    const session = { id_hash: 's', user_id: userId, address: '', user_agent: '', ...times }
    await sessions.insertSession(db, session)
    await sessions.insertSession(db, { ...session, id_hash: 'old', expires_ms: 5 })
    await sessions.touchSession(db, { idHash: 's', nowMs: 9 })
    await sessions.markProven(db, { idHash: 's', nowMs: 8 })
    expect(await sessions.listSessionsOf(db, { userId, nowMs: 4 })).toMatchObject([{ id_hash: 's' }, {}])
    expect(await managed.lastSeenOf(db, { ids: [userId], nowMs: 10 })).toEqual(new Map([[userId, 9]]))
    expect(await sessions.findSession(db, { idHash: 's', nowMs: 10 })).toMatchObject({
      seen_ms: 9,
      id: userId,
    })
    await removeExpired(db, 'sessions', 10)
    await sessions.removeSession(db, 's')
    expect(await sessions.findSession(db, { idHash: 's', nowMs: 10 })).toBeUndefined()
    await sessions.removeSessionsOf(db, userId)
  })

  it('a link that restores an address works once and invalidates the links of later changes', async () => {
    const undo = (tokenHash: string, email: string) =>
      undos.insertEmailUndo(db, { tokenHash, userId: 7, email, nowMs: 1, expiresMs: 100 })
    await undo('first', 'own@example.com')
    await undo('second', 'other@example.com')
    await undo('third', 'another@example.com')
    await undos.insertEmailUndo(db, {
      tokenHash: 'of somebody else',
      userId: 8,
      email: 'x@example.com',
      nowMs: 1,
      expiresMs: 50,
    })
    const take = (tokenHash: string, nowMs = 99) => undos.takeEmailUndo(db, { tokenHash, nowMs })
    expect(await take('unknown')).toBeUndefined()
    expect(await take('first', 100)).toBeUndefined()
    expect(await take('second')).toEqual({ userId: 7, email: 'other@example.com' })
    expect(await take('second')).toBeUndefined()
    expect(await take('third')).toBeUndefined()
    expect(await take('first')).toEqual({ userId: 7, email: 'own@example.com' })
    await removeExpired(db, 'email_undos', 50)
    expect(await take('of somebody else', 1)).toBeUndefined()
  })

  it('account notices: one per cause, the latest twenty, until dismissed', async () => {
    const notice = { userId: 7, event: 'password_changed', detail: '{}', nowMs: 5 }
    for (let cause = 0; cause < 25; cause++) {
      await notices.insertAccountNotice(db, { ...notice, cause: `cause ${cause}` })
      await notices.insertAccountNotice(db, { ...notice, cause: `cause ${cause}` })
    }
    await notices.insertAccountNotice(db, { ...notice, cause: 'of somebody else', userId: 8 })
    const shown = await notices.listAccountNotices(db, 7)
    expect(shown).toHaveLength(20)
    expect(shown[0]).toMatchObject({ event: 'password_changed', detail: '{}', created_ms: 5 })
    expect(ids(shown)).toEqual(ids(shown).toSorted((one, other) => other - one))
    await notices.removeAccountNotices(db, { userId: 7, upToId: shown[1]?.id ?? 0 })
    expect(ids(await notices.listAccountNotices(db, 7))).toEqual([shown[0]?.id])
    expect(await notices.listAccountNotices(db, 8)).toHaveLength(1)
  })

  it('tokens are inserted, found, changed and removed', async () => {
    const ownerId = 7
    const id = await tokens.insertToken(db, { ...someToken, user_id: ownerId, key_hash: 'k' })
    expect(await tokens.findToken(db, { id, ownerId })).toMatchObject({ id, remaining: null, last_ms: null })
    expect(ids(await tokens.listTokens(db, { ownerId, keyHash: 'k' }, ALL))).toEqual([id])
    expect(await tokens.countTokens(db, { ownerId, name: 'TOK' })).toBe(1)
    expect(await tokens.findEncryptedTokenKey(db, { id, ownerId })).toMatchObject({ key_sealed: 'sealed' })
    expect(await tokens.listEncryptedTokenKeys(db, { ids: [id, id + 1000], ownerId })).toMatchObject([{ id }])
    expect(await tokens.listEncryptedTokenKeys(db, { ids: [id], ownerId: ownerId + 1 })).toEqual([])
    expect(await tokens.listEncryptedTokenKeys(db, { ids: [], ownerId })).toEqual([])
    expect(await tokens.updateToken(db, { id, ownerId, change: { name: 'renamed' } })).toBe(true)
    expect(await books.readToken(db, id)).toMatchObject({ name: 'renamed' })
    expect(ids(await books.readTokensOf(db, ownerId))).toEqual([id])
    expect(ids(await books.readTokens(db))).toContain(id)
    expect(await markToken(db, { id, status: 3 })).toBe(true)
    expect(await markToken(db, { id, status: 4 })).toBe(false)
    const transcripts = await userChanges.insertUser(db, {
      ...someUser,
      username: 'keeper',
      email: 'keeper@b.example',
    })
    const kept = await tokens.insertToken(db, { ...someToken, user_id: transcripts, key_hash: 'kept' })
    const owner = { user_id: transcripts, username: 'keeper', token_id: kept, token_name: someToken.name }
    expect(await tokens.findKeyOwner(db, ['kept'])).toEqual(owner)
    expect(await tokens.removeToken(db, { id: kept, ownerId: transcripts, nowMs: 5 })).toBe(true)
    expect(await tokens.findKeyOwner(db, ['kept'])).toBeUndefined()
    expect(await tokens.removeToken(db, { id, ownerId, nowMs: 5 })).toBe(true)
    expect(await tokens.countTokens(db, { ownerId })).toBe(0)
  })

  it('channels are inserted, found, changed and removed', async () => {
    const id = await channels.insertChannel(db, { ...someChannel, tag: 't' }, (own) => ({
      key_sealed: `key ${own}`,
    }))
    const [other = 0] = await channels.insertChannels(db, [
      { channel: { ...someChannel, tag: 'u', status: 2 }, encrypt: () => ({ key_sealed: '' }) },
    ])
    await db
      .insertInto('totals')
      .values({ subject: `channel:${id}`, used: 5n, calls: 1, last_ms: 1 })
      .execute()
    expect(await channels.findChannel(db, id)).toMatchObject({ key_sealed: `key ${id}`, used: 5n })
    const filter = {
      keyword: String(id),
      keywordIds: [id],
      group: 'default',
      model: 'GPT',
      status: 1,
      type: 1,
    }
    expect(
      ids(await channelPages.listChannels(db, { ...filter, tags: ['t'] }, { ...ALL, byId: false })),
    ).toEqual([id])
    expect(await channelPages.countChannels(db, {})).toBe(2)
    expect(await channelPages.listChannelTags(db, {}, ALL)).toEqual(['t', 'u'])
    expect(await channelPages.countChannelTags(db, {})).toBe(2)
    expect(await channels.findChannelKeysByPreview(db, someChannel.key_preview)).toHaveLength(2)
    expect(await channels.enabledModelLists(db)).toEqual(['gpt-4o'])
    const addresses = await channels.listAddressesOfType(db, someChannel.type)
    expect(addresses[0]).toEqual({ id: ids(addresses)[0], base_url: someChannel.base_url })
    expect(await channels.modelListsOfTag(db, 't')).toEqual(['gpt-4o'])
    expect(await channels.updateChannel(db, { id, version: 1, change: { name: 'new' } })).toBe(true)
    expect(await channels.updateChannel(db, { id, version: 1, change: { name: 'newer' } })).toBe(false)
    expect(await channels.updateChannels(db, { tag: 'u' }, { weight: 3 })).toBe(1)
    expect(await channels.updateChannels(db, { ids: [id, other] }, { weight: 4 })).toBe(2)
    const test_message = `状态码 500：${'😀'.repeat(300)}`
    const tested = { test_outcome: 'failed', test_status: 500, test_message, tested_model: 'm' } as const
    await channels.recordChannelTest(db, { id, response_time: 12, test_time: 34, ...tested })
    expect(await channelPages.countChannels(db, { testOutcome: 'failed' })).toBe(1)
    expect((await channels.findChannel(db, id))?.test_message).toMatch(/^状态码 500：.*…$/)
    expect(ids(await channels.listDisabledChannels(db))).toEqual([other])
    expect(ids(await books.readChannels(db))).toEqual([id, other])
    expect(await channels.removeChannels(db, [id, other])).toBe(2)
  })

  it('log rows are inserted, listed and removed', async () => {
    const rows = [1, 2, 3].map((number) => ({ ...someLog, created_at: number, request_id: `r${number}` }))
    await insertLogRows(db, rows)
    const filter = {
      userId: 1,
      type: 2,
      from: 1,
      until: 3,
      username: 'alice',
      tokenName: 'token',
      modelName: 'gpt%',
      group: 'default',
      channelId: 1,
    }
    const listed = await logs.listLogs(db, filter, ALL)
    expect(listed).toMatchObject([{ quota: 10n, channel_name: null }, {}, {}])
    expect(await logs.countLogs(db, filter, 2)).toBe(2)
    expect(await logs.countLogs(db, { requestId: 'r2', beforeId: 1_000_000 }, 100)).toBe(1)
    expect(await logs.sumLogRows(db, filter)).toMatchObject({ quota: 30n, count: 3 })
    await insertLogRows(db, [
      { ...someLog, request_id: 's1', session: 's', client: 'codex', cache_saved: -3n, cached_tokens: 7 },
      { ...someLog, request_id: 's2', session: 's', user_id: 2 },
    ])
    await insertLogRows(db, [
      { ...someLog, request_id: 'u1', upstream_request_id: 'req_1', user_id: 3, created_at: 2 },
      { ...someLog, request_id: 'req_1', user_id: 3, created_at: 3 },
    ])
    for (const more of [{}, { type: 2, from: 1, until: 3 }, { userId: 3, ids: { first: 1 } }]) {
      const named = await logs.listLogs(db, { upstreamRequestId: 'req_1', ...more }, ALL)
      expect(named.map((row) => [row.request_id, row.upstream_request_id])).toEqual([['u1', 'req_1']])
      const either = await logs.listLogs(db, { anyRequestId: 'req_1', ...more }, ALL)
      expect(either.map(({ request_id: id }) => id)).toEqual(['req_1', 'u1'])
      expect(await logs.countLogs(db, { anyRequestId: 'req_1', ...more }, 9)).toBe(2)
    }
    await db.deleteFrom('logs').where('user_id', '=', 3).execute()
    expect(await followLogs.newestLogId(db)).toEqual(expect.any(Number))
    const followed = await followLogs.listCallsAfter(db, { after: 0, through: 1_000_000, limit: 2 })
    expect(followed).toMatchObject([{ request_id: 'r1', quota: 10n }, { request_id: 'r2' }])
    const ofSession = await logs.listLogs(db, { session: 's', from: 1 }, ALL)
    expect(ofSession).toMatchObject([{ client: null }, { cache_saved: -3n, cached_tokens: 7 }])
    expect(await logs.countLogs(db, { session: 's', userId: 1, client: 'codex' }, 9)).toBe(1)
    const recent = { filter: { from: 1 }, rowsMax: 10 }
    const [session, ...otherSessions] = await callSessions.listRecentSessions(db, recent, ALL)
    expect(session).toMatchObject({ session: 's', calls: 2, quota: 20n, cachedTokens: 7, cacheSaved: -3n })
    expect(session?.channels).toEqual(new Map([[1, 2]]))
    expect([otherSessions, await callSessions.countRecentSessions(db, recent)]).toEqual([[], 1])
    expect(await callSessions.sumSessions(db, [])).toEqual(new Map())
    const [first] = await callSessions.listCallsOfSession(db, { session: 's' }, 9)
    const rest = await callSessions.listCallsOfSession(db, { session: 's', afterId: first?.id }, 9)
    expect([first?.request_id, ...rest.map(({ request_id: id }) => id)]).toEqual(['s1', 's2'])
    expect(await callSessions.cacheUseOf(db, { session: 's', group: 'default', since: 1 })).toMatchObject({
      calls: 2,
      hits: 1,
      cachedTokens: 7,
    })
    expect(await callSessions.cacheUseOf(db, { session: 'none', since: 1 })).toMatchObject({
      calls: 0,
      lastAt: 0,
    })
    await db.deleteFrom('logs').where('session', '=', 's').execute()
    expect(await findLogs(db, { userId: 1, tokenId: 404, type: 2, start: 'x' }, 9)).toEqual([])
    expect(await findLogs(db, { userId: 1, type: 2, start: '2' }, 2)).toMatchObject([
      { request_id: 'r3' },
      { request_id: 'r2' },
    ])
    expect(await findLogs(db, { start: '%' }, 9)).toEqual([])
    const others = [
      '{"event":"sign_in","way":""}',
      '{"event":"check_in"}',
      '{"way":"\\"event\\":\\"sign_in\\""}',
    ]
    const said = { ...someLog, content: 'Signed in', other: others[0] ?? '', request_id: 'said' }
    const silent = others.map((other, at) => ({ ...someLog, content: '', other, request_id: `event${at}` }))
    await insertLogRows(db, [...silent, said])
    const found = await findLogs(db, { start: 'x', events: ['sign_in', 'signXin'] }, 9)
    expect(found.map(({ request_id: id }) => id)).toEqual(['event0'])
    const beforeId = found[0]?.id ?? 0
    expect(await findLogs(db, { start: 'x', events: ['sign_in'], beforeId }, 9)).toEqual([])
    await db.deleteFrom('logs').where('request_id', 'in', ['event0', 'event1', 'event2', 'said']).execute()
    expect(await logs.removeLogsBefore(db, { before: 3, limit: 1 })).toBe(1)
    expect(await logs.removeLogsBefore(db, { before: 3, limit: 100 })).toBe(1)
    expect(await logs.removeLogsBefore(db, { before: 3, limit: 100 })).toBe(0)
  })

  it("a call is found by the id of its request or its answer, and only among its owner's", async () => {
    await insertLogRows(db, [
      { ...someLog, request_id: 'a1', other: answered('gen_1'), cached_tokens: 7, cache_saved: -3n },
      { ...someLog, request_id: 'a2', other: answered('gen_2') },
      { ...someLog, request_id: 'a3', other: answered('gen_1'), user_id: 2 },
    ])
    const ofRequest = (userId: number, ...wanted: string[]) => findCallOfRequest(db, { userId, ids: wanted })
    const ofAnswer = (userId: number, ...wanted: string[]) => findCallOfAnswer(db, { userId, ids: wanted })
    expect(await ofRequest(1, 'none', 'a2')).toMatchObject({ request_id: 'a2' })
    expect(await ofRequest(2, 'a2')).toBeUndefined()
    const found = await ofAnswer(1, 'none', 'gen_1')
    expect(found).toMatchObject({ request_id: 'a1', quota: 10n, cached_tokens: 7, cache_saved: -3n })
    expect(await ofAnswer(2, 'gen_1')).toMatchObject({ request_id: 'a3' })
    for (const id of ['gen%', 'gen_', 'genX1', '"answer_id"']) expect(await ofAnswer(1, id)).toBeUndefined()
    const spent = await sumUsage(db, { userId: 1, tokenId: 1, types: [2], from: 1 })
    expect(spent.quota).toBeGreaterThanOrEqual(20n)
    expect((await sumUsage(db, { userId: 1, tokenId: 404, types: [2], from: 1 })).quota).toBe(0n)
    await db.deleteFrom('logs').where('request_id', 'in', ['a1', 'a2', 'a3']).execute()
  })

  it('outbox work is queued once, taken once, postponed and ended', async () => {
    const work = { cause: 'gift:1', kind: 'mail', payload: 'sealed', dueMs: 10, nowMs: 1 }
    expect(await outbox.insertWork(db, work)).toBe(true)
    expect(await outbox.insertWork(db, { ...work, payload: 'other' })).toBe(false)
    expect(await outbox.listDueWork(db, { nowMs: 9, limit: 5 })).toEqual([])
    expect(await outbox.countWaitingWork(db)).toBe(1)
    const [row] = await outbox.listDueWork(db, { nowMs: 10, limit: 5 })
    expect(row).toMatchObject({ cause: 'gift:1', payload: 'sealed', attempts: 0 })
    const id = row?.id ?? 0
    const taking = { id, attempts: 0, untilMs: 50 }
    expect(await outbox.takeWork(db, taking)).toBe(true)
    expect(await outbox.takeWork(db, taking)).toBe(false)
    expect(await outbox.listAbandonedWork(db, { nowMs: 49, limit: 5 })).toEqual([])
    expect(await outbox.listAbandonedWork(db, { nowMs: 50, limit: 5 })).toMatchObject([{ id, attempts: 1 }])
    await outbox.postponeWork(db, { id, attempts: 1, dueMs: 60, reason: 'later' })
    expect(await outbox.takeWork(db, { id, attempts: 1, untilMs: 90 })).toBe(true)
    await outbox.endWork(db, { id, attempts: 2, state: 'done', reason: '' })
    expect(await outbox.insertWork(db, work)).toBe(false)
    await outbox.removeEndedWork(db, 2)
    expect(await outbox.insertWork(db, work)).toBe(true)
  })

  it('a one-time code is valid once, for its purpose and within its time', async () => {
    const code = { purpose: 'reset', subject: 'a@b.example', codeHash: 'h', nowMs: 1, expiresMs: 100 }
    const claim = { ...code, nowMs: 50, failuresMax: 2 }
    await codes.replaceCode(db, { ...code, codeHash: 'first' })
    await codes.replaceCode(db, code)
    expect(await codes.takeCode(db, { ...claim, codeHash: 'first' })).toBe(false)
    expect(await codes.takeCode(db, { ...claim, purpose: 'register' })).toBe(false)
    expect(await codes.takeCode(db, { ...claim, nowMs: 100 })).toBe(false)
    expect(await codes.takeCode(db, claim)).toBe(false)
    await codes.replaceCode(db, code)
    expect(await codes.takeCode(db, claim)).toBe(true)
    expect(await codes.takeCode(db, claim)).toBe(false)
    await codes.replaceCode(db, code)
    await removeExpired(db, 'one_time_codes', 100)
    expect(await codes.takeCode(db, claim)).toBe(false)
  })

  it('balances and their history are read from the ledger', async () => {
    const account = { id: 4000, kind: 'user', owner_id: 1000, granted: 9n, remaining: 7n } as const
    const rest = { reserved: 0n, used: 2n, debt: 0n, followed: 0n, unlimited: 0, version: 1 } as const
    await db
      .insertInto('account')
      .values({ ...account, ...rest })
      .execute()
    const entry = { user_acct: 4000, flags: '', waived: 0n, created_ms: 1 }
    const entries = [
      { op_key: 'checkin:1000:2026-11-01', kind: 'credit', amount: 9n, balance_after: 9n },
      { op_key: 'consume:r', kind: 'consume', amount: 3n, request_id: 'r' },
      { op_key: 'correction:r', kind: 'correction', amount: -1n, request_id: 'r' },
    ] as const
    for (const one of entries) {
      await db
        .insertInto('entry')
        .values({ ...entry, ...one })
        .execute()
    }
    expect(await balances.listBalances(db, [4000, 4001])).toMatchObject([{ id: 4000, remaining: 7n }])
    const listed = await balances.listEntries(db, { account: 4000, beforeId: 1_000_000 }, ALL)
    expect(listed.map(({ amount }) => amount)).toEqual([-1n, 3n, 9n])
    expect(await balances.countEntries(db, { account: 4000, kind: 'credit' }, 10)).toBe(1)
    const afterId = listed.at(-1)?.id ?? 0
    expect(await balances.sumEntriesAfter(db, { account: 4000, afterId })).toBe(-2n)
    expect(await balances.sumEntriesAfter(db, { account: 8, afterId })).toBe(0n)
    const found = { account: 4000, keyStart: 'checkin:1000:2026-11-', limit: 10 }
    expect(await balances.listCreditsByKey(db, found)).toMatchObject([{ amount: 9n }])
    expect(await balances.sumCreditsByKey(db, found)).toEqual({ count: 1, amount: 9n })
    expect(await balances.sumCreditsByKey(db, { account: 4000, keyStart: 'x' })).toEqual({
      count: 0,
      amount: 0n,
    })
    const lastId = listed[0]?.id
    expect(await low.lastEntryId(db)).toBe(lastId)
    expect(await low.listChargedUsers(db, 0)).toEqual([1000])
    expect(await low.listChargedUsers(db, lastId ?? 0)).toEqual([])
    expect(await low.lastEntryAtLeast(db, { account: 4000, amount: 9n })).toBe(afterId)
    expect(await low.lastEntryAtLeast(db, { account: 4000, amount: 10n })).toBe(0)
  })

  it('options and price books are written and read', async () => {
    const write = { shownValue: '', shownBefore: () => '', nowMs: 1, actorId: 0 }
    await writeOption(db, { key: 'z', value: 'one', ...write })
    await writeOption(db, { key: 'z', value: 'two', ...write })
    const changes = await listOptionChanges(db, { key: 'z' }, ALL)
    expect(changes).toMatchObject([{ version: 2, changed_by_name: null }, { version: 1 }])
    expect(await countOptionChanges(db, { key: 'z' })).toBe(2)
    expect(await countOptionChanges(db, {})).toBe(2)
    expect(await findOptionChange(db, changes[1]?.id ?? 0)).toEqual({ key: 'z', before_value: null })
    expect(await listOptions(db)).toContainEqual({ key: 'z', value: 'two', version: 2 })
    expect(await findOption(db, 'z')).toEqual({ key: 'z', value: 'two', version: 2 })
    await removeOptions(db, ['z', 'unknown'])
    expect(await findOption(db, 'z')).toBeUndefined()
    const content = JSON.stringify({ text: 'x'.repeat(100_000) })
    const version = await publishPriceBook(db, { contentHash: 'h', content, nowMs: 1 })
    expect(await findPriceBook(db, version)).toMatchObject({ version, content })
  })

  it('channel keys, traffic and balances are recorded', async () => {
    const id = await channels.insertChannel(db, { ...someChannel, name: 'keys', tag: 'keyed' }, () => ({
      key_sealed: 'v1.key',
    }))
    const keys = { channelId: id, hashes: ['a', 'b'] }
    await channelKeys.setKeyStatus(db, keys, { status: 3, reason: '401', nowMs: 5 })
    await channelKeys.setKeyStatus(db, keys, { status: 3, reason: '401', nowMs: 5 })
    expect(await channelKeys.listDisabledKeys(db)).toEqual([
      { channel_id: id, key_hash: 'a' },
      { channel_id: id, key_hash: 'b' },
    ])
    await channelKeys.restoreKeys(db, { ids: [id] }, 6)
    await channelKeys.restoreKeys(db, { tag: 'keyed' }, 7)
    const used = { channelId: id, hash: 'c', uses: 2, lastUsedMs: 9 }
    await channelKeys.addKeyUses(db, [used])
    await channelKeys.addKeyUses(db, [used])
    await channelKeys.deleteKeyStates(db, { channelId: id, hashes: ['b'] })
    expect(await channelKeys.listChannelKeys(db, id)).toMatchObject([
      { key_hash: 'a', status: 1, uses: 0, status_ms: 6 },
      { key_hash: 'c', status: 1, uses: 4, last_used_ms: 9 },
    ])
    expect(await channelKeys.noteKey(db, { channelId: id, hash: 'a', note: 'not renewed' })).toBe(true)
    expect(await channelKeys.noteKey(db, { channelId: id, hash: 'a', note: 'not renewed' })).toBe(false)
    const stored = { channelId: id, encryptedBefore: 'v1.key', sealed: 'v1.next', preview: 'next', nowMs: 11 }
    await channelKeys.setKeyStatus(db, { channelId: id, hashes: ['c'] }, { status: 3, reason: '', nowMs: 10 })
    const hashes = { from: 'c', to: 'a' }
    expect(await channelKeys.replaceKey(db, { ...stored, hashes })).toBe(true)
    expect(await channelKeys.replaceKey(db, { ...stored, hashes })).toBe(false)
    expect(await channels.findChannel(db, id)).toMatchObject({ key_sealed: 'v1.next', version: 1 })
    expect(await channelKeys.listChannelKeys(db, id)).toMatchObject([
      { key_hash: 'a', status: 1, status_ms: 11, uses: 4, reason: '' },
    ])
    const row = { channel_id: id, succeeded: 1, failed: 0, first_bytes: '12:1', errors: '' }
    await channelTraffic.insertTraffic(db, [
      { ...row, at_ms: 10 },
      { ...row, at_ms: 20 },
    ])
    expect(await channelTraffic.listTraffic(db, { channelIds: [id], sinceMs: 15 })).toEqual([
      { ...row, at_ms: 20 },
    ])
    expect(await channelTraffic.removeTraffic(db, 15)).toBe(1)
    await channels.recordChannelBalance(db, { id, balance: 1.5, currency: 'CNY', updatedTime: 3 })
    expect(await channels.findChannel(db, id)).toMatchObject({ balance: 1.5, balance_currency: 'CNY' })
    expect((await channels.listChannelsInOrder(db)).some((channel) => channel.id === id)).toBe(true)
    expect(await channels.removeChannels(db, [id])).toBe(1)
    expect(await channelKeys.listChannelKeys(db, id)).toEqual([])
  })

  it('a job run is requested once, started and ended, and can be requested again when it is silent', async () => {
    const ask = (nowMs: number) => jobRuns.requestJob(db, { name: 'job', nowMs })
    expect([await ask(1), await ask(2)]).toEqual([true, false])
    expect(await jobRuns.listRequestedJobs(db)).toEqual(['job'])
    await jobRuns.startJobRun(db, { name: 'job', nowMs: 3 })
    await jobRuns.noteJobProgress(db, { name: 'job', nowMs: 4, done: 1, total: 2 })
    expect(await ask(5)).toBe(false)
    expect(await ask(4 + jobRuns.JOB_SILENT_MS)).toBe(true)
    const ended = {
      name: 'job',
      started_ms: 3,
      ended_ms: 6,
      next_ms: 0,
      outcome: 'ok',
      figures: '{}',
    } as const
    await jobRuns.endJobRun(db, ended)
    expect(await jobRuns.listJobRuns(db)).toMatchObject([{ ...ended, state: 'idle', done: 1, total: 2 }])
    expect(await ask(7)).toBe(true)
  })

  it('notification settings and samples of stored secrets are listed', async () => {
    const id = await userChanges.insertUser(db, { ...someUser, username: 'Zoe', aff_code: 'zoe' })
    expect(await low.listUserSettings(db, [id])).toEqual([{ id, setting: '' }])
    expect(await low.listUserSettings(db, [])).toEqual([])
    const secret = { shownValue: '', shownBefore: () => '', nowMs: 1, actorId: 0 }
    await writeOption(db, { key: 'sealed', value: 'v1.abc', ...secret })
    await tokens.insertToken(db, { ...someToken, key_hash: 'sealed hash', key_sealed: 'v1.def' })
    const channel = await channels.insertChannel(db, { ...someChannel, name: 'sealed' }, () => ({
      key_sealed: 'v1.ghi',
    }))
    expect(await logs.channelNames(db, [channel])).toEqual(new Map([[channel, 'sealed']]))
    expect(await listEncryptedSamples(db)).toEqual(
      expect.arrayContaining([
        { sealed: 'v1.abc', context: 'option:sealed' },
        { sealed: 'v1.def', context: 'token:sealed hash' },
        { sealed: 'v1.ghi', context: `channel:${channel}` },
      ]),
    )
  })
})

it('every query of the package is called in a suite that runs on every engine', () => {
  const folder = new URL('.', import.meta.url)
  const suites = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const asked = suites.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('')
  const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      !name.endsWith('.test.ts') &&
      !FOLDERS_WITHOUT_QUERIES.test(name) &&
      !OF_THE_IMPORT.includes(name),
  )
  const queries = sources.flatMap((name) => {
    const text = readFileSync(new URL(name, FOLDER), 'utf8')
    return [...text.matchAll(/^export (?:async )?function (\w+)\(\s*db: (?:Db|Kysely)\b/gm)].map(
      ([, query]) => query,
    )
  })
  // Not called by name in these suites: opening a store calls the first four, and the tests of sign-in
  // providers create users with an identity.
  const passed = [
    'migrate',
    'requireSchema',
    'lastStep',
    'insertedId',
    'engineOf',
    'insertUserWithIdentity',
    'lastUserId',
    'isEmailTaken',
    'isShownElsewhere',
    // The `ping` of every store.
    'answers',
    // Steps of the usage sums. Their own suite runs them through `rollUpUsage` and `sumUsage`.
    'usageDaysThrough',
    // Steps of `listChannels`, `findUser`, `usageSeries` and `narrowed`.
    'selectChannels',
    'selectShown',
    'largestKeys',
    'rowSpansOfGroup',
    'sumDueDays',
    'sumDaysOfHour',
    'usageGroupsThrough',
    'nextHour',
    'changesToGroups',
    'groupsMark',
    'sumDueGroups',
    'readHour',
    'readDay',
    'readSums',
    'changesTo',
    'takeRollupLock',
  ]
  expect(queries.length).toBeGreaterThan(50)
  const missing = queries.filter((query = '') => !passed.includes(query) && !asked.includes(`${query}(`))
  expect(missing).toEqual([])
})
