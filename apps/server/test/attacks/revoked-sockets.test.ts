import { accountId } from '@tollgate/ledger/account'
import { invariant } from '@tollgate/kit/invariant'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openRealtimeCaller, REALTIME_MODEL, type RealtimeCaller } from '../relay/realtime-caller.ts'
import { openRealtimeVendor } from '../relay/realtime-vendor.ts'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { waitFor } from '../relay/send.ts'
import { reportAttacks } from './index.ts'

/**
 * Sockets that were opened with permission and lose it. A session ends with a close frame that says why, what
 * its vendor has begun is still paid, and nothing more is requested of the vendor.
 */

let harness: RelayHarness
let vendor: Awaited<ReturnType<typeof openRealtimeVendor>>
let count = 0
const sockets: WebSocket[] = []

beforeAll(async () => {
  harness = await openRelayHarness()
  vendor = await openRealtimeVendor()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await harness.quiet()
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(async () => {
  console.log(`${count} sockets that lost their permission`)
  reportAttacks({ kind: 'revoked sockets', count })
  vendor.close()
  await harness.close()
})

interface Ids {
  readonly userId: number
  readonly tokenId: number
  readonly channelId: number
}

interface Revocation {
  readonly name: string
  readonly code: string
  readonly of: 'caller' | 'session'
  readonly revoke: (ids: Ids) => Promise<unknown>
}

async function changeToken({ tokenId }: Ids, columns: object): Promise<void> {
  await harness.db.updateTable('tokens').set(columns).where('id', '=', tokenId).execute()
  await harness.notices.publish({ entity: 'token', id: tokenId })
}

async function changeUser({ userId }: Ids, columns: object): Promise<void> {
  await harness.db.updateTable('users').set(columns).where('id', '=', userId).execute()
  await harness.notices.publish({ entity: 'user', id: userId })
}

async function changeChannel({ channelId }: Ids, status: number): Promise<void> {
  await harness.db.updateTable('channels').set({ status }).where('id', '=', channelId).execute()
  await harness.notices.publish({ entity: 'channel', id: channelId })
}

async function takeQuota(kind: 'user' | 'token', id: number): Promise<void> {
  const account = accountId(kind, id)
  const balance = await harness.ledger.balance(account)
  invariant(balance, 'the account exists')
  await harness.ledger.adjust({ key: `test:${kind}:${id}:${count}`, account, delta: -balance.remaining })
  await harness.notices.publish({ entity: kind === 'user' ? 'emptiedUser' : 'emptiedToken', id })
}

const HOUR_AGO = Math.floor(Date.now() / 1000) - 3_600

const revocations: readonly Revocation[] = [
  {
    name: 'its token is deleted',
    code: 'token_invalid',
    of: 'caller',
    revoke: async ({ tokenId }) => {
      await harness.db.deleteFrom('tokens').where('id', '=', tokenId).execute()
      await harness.notices.publish({ entity: 'token', id: tokenId })
    },
  },
  {
    name: 'its token gets another key',
    code: 'token_invalid',
    of: 'caller',
    revoke: (ids) => changeToken(ids, { key_hash: `other ${ids.tokenId}` }),
  },
  ...[
    { name: 'disabled', code: 'token_disabled', columns: { status: 2 } },
    { name: 'marked as expired', code: 'token_expired', columns: { status: 3 } },
    { name: 'marked as used up', code: 'token_exhausted', columns: { status: 4 } },
    { name: 'given an end in the past', code: 'token_expired', columns: { expired_time: HOUR_AGO } },
    {
      name: 'limited to other addresses',
      code: 'address_not_allowed',
      columns: { allow_ips: '203.0.113.7' },
    },
  ].map(({ name, code, columns }) => ({
    name: `its token is ${name}`,
    code,
    of: 'caller' as const,
    revoke: (ids: Ids) => changeToken(ids, columns),
  })),
  {
    name: 'its token is limited to other models',
    code: 'model_not_allowed',
    of: 'session',
    revoke: (ids) => changeToken(ids, { model_limits_enabled: 1, model_limits: 'gpt-4o' }),
  },
  {
    name: 'its token is moved to a group that its owner may not use',
    code: 'token_group_disabled',
    of: 'session',
    revoke: (ids) => changeToken(ids, { group_name: 'elsewhere' }),
  },
  {
    name: 'its owner is disabled',
    code: 'user_banned',
    of: 'caller',
    revoke: (ids) => changeUser(ids, { status: 2 }),
  },
  {
    name: 'its owner is deleted',
    code: 'user_banned',
    of: 'caller',
    revoke: (ids) => changeUser(ids, { deleted_ms: 1, status: 2 }),
  },
  {
    name: 'its owner is moved to another group',
    code: 'token_group_disabled',
    of: 'session',
    revoke: (ids) => changeUser(ids, { group_name: 'vip' }),
  },
  {
    name: "its owner's quota is taken away",
    code: 'insufficient_user_quota',
    of: 'session',
    revoke: ({ userId }) => takeQuota('user', userId),
  },
  {
    name: "its token's quota is taken away",
    code: 'insufficient_user_quota',
    of: 'session',
    revoke: ({ tokenId }) => takeQuota('token', tokenId),
  },
  {
    name: 'its channel is switched off by hand',
    code: 'session_channel_off',
    of: 'session',
    revoke: (ids) => changeChannel(ids, 2),
  },
  {
    name: 'its channel is deleted',
    code: 'session_channel_off',
    of: 'session',
    revoke: async ({ channelId }) => {
      await harness.db.deleteFrom('channels').where('id', '=', channelId).execute()
      await harness.notices.publish({ entity: 'channels' })
    },
  },
]

async function enter(path?: string): Promise<{ caller: RealtimeCaller; ids: Ids }> {
  for (const { id } of await harness.db.selectFrom('channels').select('id').execute())
    await changeChannel({ userId: 0, tokenId: 0, channelId: id }, 2)
  const channelId = await harness.addChannel(vendor.url, { models: REALTIME_MODEL })
  const { bearer, ...owner } = await harness.addCaller({ quota: 10_000_000n, tokenQuota: 10_000_000n })
  const address = `ws://127.0.0.1:${harness.port}`
  const caller = openRealtimeCaller({ address, bearer, ...(path !== undefined && { path }) })
  sockets.push(caller.socket)
  return { caller, ids: { ...owner, channelId } }
}

async function enterSession() {
  const before = vendor.sessions.length
  const entered = await enter()
  await entered.caller.heard('session.created')
  const session = vendor.sessions.at(before)
  invariant(session, 'the vendor has the session')
  return { ...entered, session }
}

/** Ratio 2.5, and output costs four times as much as input: 1,000 and 200 tokens. */
const ANSWER = BigInt(1_000 * 2.5 + 200 * 10)

test.each(revocations.map((each) => [each.name, each] as const))(
  'an idle session ends when %s',
  async (_name, { revoke, code }) => {
    const { caller, ids, session } = await enterSession()
    await revoke(ids)
    const { code: closeCode, reason } = await caller.closed
    expect(closeCode).toBe(1008)
    expect(reason).toMatch(/^[A-Z][\w' "]+ \w+/)
    expect(caller.received.at(-1)).toMatchObject({ type: 'error', error: { code } })
    await waitFor(() => session.socket.readyState === WebSocket.CLOSED)
    await harness.quiet()
    expect(await harness.openHolds()).toBe(0)
    count++
  },
)

test.each(revocations.map((each) => [each.name, each] as const))(
  'answers that have begun are paid by the usage of their vendor when %s',
  async (_name, { revoke }) => {
    const { caller, ids, session } = await enterSession()
    for (let each = 0; each < 3; each++) caller.say({ type: 'response.create' })
    await waitFor(() => session.works.length === 3)
    for (const work of session.works.slice(0, 2)) session.begin(work)
    await waitFor(() => caller.received.length === 3)
    // What is sent before the close frame arrives is not handed on.
    const closing = revoke(ids)
    await closing
    if (caller.socket.readyState === WebSocket.OPEN) caller.say({ type: 'response.create' })
    expect(await caller.closed).toMatchObject({ code: 1008 })
    for (const work of session.works) session.finish(work)
    await harness.quiet()
    expect(session.works).toHaveLength(3)
    expect((await harness.balance(ids.userId))?.used).toBe(3n * ANSWER)
    expect((await harness.entries()).at(-1)).toMatchObject({ amount: 3n * ANSWER, flags: '' })
    count++
  },
)

test.each(revocations.filter(({ of }) => of === 'caller').map((each) => [each.name, each] as const))(
  'a Responses connection ends when %s',
  async (_name, { revoke, code }) => {
    const { caller, ids } = await enter('/v1/responses')
    await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
    await revoke(ids)
    const { code: closeCode, reason } = await caller.closed
    expect([closeCode, reason === '']).toEqual([1008, false])
    expect(caller.received.at(-1)).toMatchObject({ type: 'error', error: { code } })
    count++
  },
)

test('a session goes on when its channel is disabled automatically, or something else changes', async () => {
  const { caller, ids, session } = await enterSession()
  harness.snapshots.withdrawChannel(ids.channelId)
  await changeChannel(ids, 3)
  await harness.setOption('SystemName', 'Another name')
  await changeToken(ids, { name: 'another name' })
  await harness.addCaller()
  harness.relay.tick()
  caller.say({ type: 'response.create' })
  await waitFor(() => session.works.length === 1)
  for (const work of session.works) session.finish(work)
  await caller.heard('response.done')
  caller.socket.close()
  await harness.quiet()
  expect((await harness.balance(ids.userId))?.used).toBe(ANSWER)
})

test('a connection is closed after the call that runs when its token is deleted', async () => {
  const { caller, ids } = await enter('/v1/responses')
  await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
  // No channel serves the model, so that the call ends with an error; it must arrive before the close frame.
  caller.say({ type: 'response.create', model: 'gpt-4o-mini', input: 'hi' })
  await harness.db.deleteFrom('tokens').where('id', '=', ids.tokenId).execute()
  await harness.notices.publish({ entity: 'token', id: ids.tokenId })
  expect(await caller.closed).toMatchObject({ code: 1008 })
})
