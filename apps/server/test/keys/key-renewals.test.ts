import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import { defaultChannelSettings } from '@tollgate/providers/channel-settings'
import { codex } from '@tollgate/providers/codex'
import { channelKeyHash, listChannelKeys, setKeyStatus } from '@tollgate/store/channels/keys'
import {
  channelKeyContext,
  findChannel,
  insertChannel,
  updateChannel,
} from '@tollgate/store/channels/channels'
import { takeLease } from '@tollgate/store/operations/leases'
import type { OpenStoreOptions, Store } from '@tollgate/store/database/open-store'
import { answeringServers } from '@tollgate/testkit/databases'
import { openNewStore } from '@tollgate/testkit/new-store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ExpiringChannel, openCredentialRefresh } from '../../src/keys/credential-refresh.ts'
import { newChannel } from '../relay/rows.ts'
import { TEN_DAYS_MS, Vendor } from './vendor.ts'

const HOUR_MS = 3_600_000
const cipher = openCipher(Buffer.alloc(32, 3))
const places = [
  {
    name: 'SQLite',
    open: async () => ({ options: { sqlitePath: ':memory:' }, drop: async () => undefined }),
  },
  ...(await answeringServers()).map((server) => ({
    name: server.label,
    open: async () => {
      const { dsn, drop } = await server.createMigrated()
      return { options: { dsn }, drop }
    },
  })),
]

describe.each(places)('refreshing credentials on $name', ({ open }) => {
  let place: { options: OpenStoreOptions; drop: () => Promise<void> }
  let store: Store
  let clock: ManualClock
  let vendor: Vendor
  let channel: ExpiringChannel
  let first: string
  let reported: string[]
  const log = { warn: () => undefined, error: () => undefined }

  beforeAll(async () => {
    place = await open()
    store = await openNewStore(place.options)
  })
  /** Each test has a channel of its own and looks only at that one. */
  beforeEach(async () => {
    clock = new ManualClock()
    vendor = new Vendor(() => clock.nowMs())
    reported = []
    first = vendor.key(HOUR_MS)
    channel = { id: await add(first), provider: codex, other: '', settings: defaultChannelSettings }
  })
  afterAll(async () => {
    await store.close()
    await place.drop()
  })

  function add(key: string): Promise<number> {
    const row = { ...newChannel(''), type: 57 }
    return insertChannel(store.db, row, (id) => ({ key_sealed: cipher.encrypt(key, channelKeyContext(id)) }))
  }

  /** The refresher of another process over the same database. */
  function node(db: Store['db'] = store.db) {
    return openCredentialRefresh({
      db,
      cipher,
      clock,
      log,
      notices: { publish: async () => undefined },
      egress: { exchange: (request) => vendor.exchange(request) },
      onRefused: async (_channel, message) => void reported.push(message),
      pauseMs: 5,
    })
  }

  async function stored(): Promise<string> {
    const row = await findChannel(store.db, channel.id)
    return cipher.decrypt(row?.key_sealed ?? '', channelKeyContext(channel.id))
  }

  async function replaceByHand(key: string): Promise<void> {
    const row = await findChannel(store.db, channel.id)
    const change = { key_sealed: cipher.encrypt(key, channelKeyContext(channel.id)) }
    expect(await updateChannel(store.db, { id: channel.id, version: row?.version ?? 0, change })).toBe(true)
  }

  const note = async (key: string) =>
    (await listChannelKeys(store.db, channel.id)).find(
      (row) => row.key_hash === channelKeyHash(channel.id, key),
    )?.reason

  it('a credential is used unchanged until it expires', async () => {
    expect(await node().usable(channel, first)).toEqual({ type: 'renewed', key: first })
    expect(vendor.asked).toBe(0)
    clock.advance(HOUR_MS)
    const usable = await node().usable(channel, first)
    expect(usable).toEqual({ type: 'renewed', key: await stored() })
    expect(await stored()).not.toBe(first)
    expect(vendor.asked).toBe(1)
  })

  it('a credential is refreshed once, however many calls of however many processes need it', async () => {
    clock.advance(HOUR_MS)
    const nodes = [node(), node(), node(), node()]
    const wishes = nodes.flatMap((each) =>
      Array.from({ length: 5 }, () => each.renew(channel, first, 'refused')),
    )
    const outcomes = await Promise.all(wishes)
    const key = await stored()
    expect(outcomes).toEqual(outcomes.map(() => ({ type: 'renewed', key })))
    expect(vendor.asked).toBe(1)
    // A caller that still has the old credential gets the new one.
    expect(await node().renew(channel, first, 'over')).toEqual({ type: 'renewed', key })
    expect(vendor.asked).toBe(1)
  })

  it('a credential can be refreshed repeatedly, each time with the latest refresh token', async () => {
    for (let round = 0; round < 3; round++) {
      clock.advance(TEN_DAYS_MS)
      expect(await node().renew(channel, await stored(), 'due')).toMatchObject({ type: 'renewed' })
    }
    expect(vendor.asked).toBe(3)
  })

  it('a refresh keeps concurrent edits of the channel and its other keys', async () => {
    const other = '{"access_token":"other","account_id":"account-2"}'
    await replaceByHand(`${other}\n${first}`)
    vendor.beforeAnswer = async () => {
      const row = await findChannel(store.db, channel.id)
      const change = { name: 'renamed meanwhile', key_sealed: row?.key_sealed ?? '' }
      await updateChannel(store.db, { id: channel.id, version: row?.version ?? 0, change })
      await replaceByHand(`${other}\n${first}\n{"access_token":"new","account_id":"account-3"}`)
    }
    const version = (await findChannel(store.db, channel.id))?.version ?? 0
    expect(await node().renew(channel, first, 'asked')).toMatchObject({ type: 'renewed' })
    const keys = (await stored()).split('\n')
    expect(keys).toHaveLength(3)
    expect(keys[0]).toBe(other)
    expect(keys[1]).toContain('refresh-secret-2')
    // The version counts the two edits by hand, but not the refresh.
    expect(await findChannel(store.db, channel.id)).toMatchObject({
      version: version + 2,
      name: 'renamed meanwhile',
    })
  })

  it('a refresh never overwrites a key that was replaced meanwhile', async () => {
    const mine = '{"access_token":"mine","account_id":"account-1"}'
    vendor.beforeAnswer = () => replaceByHand(mine)
    expect(await node().renew(channel, first, 'asked')).toEqual({ type: 'gone' })
    expect(await stored()).toBe(mine)
  })

  it('a refreshed key is enabled again after a refusal, but stays disabled when disabled by hand', async () => {
    const hashes = [channelKeyHash(channel.id, first)]
    await setKeyStatus(store.db, { channelId: channel.id, hashes }, { status: 3, reason: '401', nowMs: 1 })
    await node().renew(channel, first, 'asked')
    const second = await stored()
    const states = () => listChannelKeys(store.db, channel.id)
    expect(await states()).toMatchObject([
      { key_hash: channelKeyHash(channel.id, second), status: 1, reason: '' },
    ])
    const byHand = { status: 2, reason: '', nowMs: 2 }
    await setKeyStatus(
      store.db,
      { channelId: channel.id, hashes: [channelKeyHash(channel.id, second)] },
      byHand,
    )
    await node().renew(channel, second, 'asked')
    expect(await states()).toMatchObject([
      { key_hash: channelKeyHash(channel.id, await stored()), status: 2 },
    ])
  })

  it('a refused refresh is recorded at the key, notified once and not repeated', async () => {
    const stale = first
    await node().renew(channel, first, 'asked')
    await replaceByHand(stale)
    const one = node()
    const refused = await one.renew(channel, stale, 'refused')
    expect(refused).toMatchObject({
      type: 'refused',
      message: expect.stringContaining('refresh_token_reused'),
    })
    expect(await note(stale)).toContain('refresh_token_reused')
    expect(await one.renew(channel, stale, 'refused')).toEqual(refused)
    expect(vendor.asked).toBe(2)
    await node().renew(channel, stale, 'refused')
    expect(reported).toHaveLength(1)
    expect(await stored()).toBe(stale)
  })

  it('a temporary failure is retried after a while', async () => {
    const one = node()
    for (const trouble of ['down', 'unreachable'] as const) {
      vendor.trouble = trouble
      expect(await one.renew(channel, first, 'refused')).toMatchObject({ type: 'failed' })
      clock.advance(31_000)
    }
    expect(await note(first)).not.toBe('')
    expect(reported).toEqual([])
    vendor.trouble = 'none'
    expect(await one.renew(channel, first, 'refused')).toMatchObject({ type: 'renewed' })
    expect(await note(await stored())).toBe('')
  })

  it('no secret is shown, whatever the vendor returns', async () => {
    vendor.trouble = 'echoes'
    const outcome = await node().renew(channel, first, 'asked')
    const shown = JSON.stringify([outcome, reported, await listChannelKeys(store.db, channel.id)])
    expect(shown).toContain('no such ***')
    expect(shown).not.toMatch(/refresh-secret|access\./)
  })

  it('a refreshed credential is not lost when the database fails for a moment', async () => {
    let away = 0
    vendor.beforeAnswer = async () => void (away = 2)
    const db = new Proxy(store.db, {
      get: (target, name) => {
        if (name === 'transaction' && away-- > 0) throw new Error('the database is away')
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    expect(await node(db).renew(channel, first, 'asked')).toMatchObject({ type: 'renewed' })
    expect(await stored()).toContain('refresh-secret-2')
  })

  it('a refresh waits for the lease of a process that died during its own, and then reports that a new sign-in is needed', async () => {
    const name = `key-renewal:${channel.id}`
    await takeLease(store.db, { name, holder: 'dead', leaseMs: 200 })
    // The dead process lost the vendor's response, so nobody has the new refresh token.
    await vendor.exchange({ body: JSON.stringify({ refresh_token: 'refresh-secret-1' }) })
    expect(await node().renew(channel, first, 'refused')).toMatchObject({ type: 'refused' })
    expect(reported).toHaveLength(1)
  })

  it('a deleted channel is not refreshed', async () => {
    await store.db.deleteFrom('channels').where('id', '=', channel.id).execute()
    expect(await node().renew(channel, first, 'asked')).toEqual({ type: 'gone' })
    expect(vendor.asked).toBe(0)
  })

  it('a refresh in progress is stored before a stop', async () => {
    const one = node()
    const answer = Promise.withResolvers<void>()
    vendor.beforeAnswer = () => answer.promise
    const renewal = one.renew(channel, first, 'asked')
    while (vendor.asked === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const closed = one.close()
    answer.resolve()
    await closed
    expect(await stored()).toContain('refresh-secret-2')
    expect(await renewal).toMatchObject({ type: 'renewed' })
  })
})
