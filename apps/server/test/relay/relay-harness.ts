import { createServer } from 'node:http'
import { memoryLimiter } from '@tollgate/coordination/memory-limiter'
import { memoryNotices } from '@tollgate/coordination/memory-notices'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { openEgress } from '@tollgate/egress/open-egress'
import { systemClock } from '@tollgate/kit/clock'
import { randomAlphanumeric } from '@tollgate/kit/ids'
import { invariant } from '@tollgate/kit/invariant'
import { openCipher } from '@tollgate/kit/cipher'
import { accountId } from '@tollgate/ledger/account'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { providers } from '@tollgate/providers/index'
import { channelKeyHash, setKeyStatus } from '@tollgate/store/channels/keys'
import { type ChannelSecrets, encryptChannelSecrets } from '@tollgate/store/channels/secrets'
import { channelKeyContext, insertChannel, type NewChannel } from '@tollgate/store/channels/channels'
import { insertedId } from '@tollgate/store/database/inserted-id'
import { addTokenRefusals } from '@tollgate/store/accounts/token-refusals'
import { insertLogTexts } from '@tollgate/store/logs/texts'
import { entryPrice } from '@tollgate/store/trade/entry-price'
import type { TokenTable, UserTable } from '@tollgate/store/tables/accounts'
import { openNewStore } from '@tollgate/testkit/new-store'
import type { Insertable } from 'kysely'
import { callerReads } from '../../src/app/caller-reads.ts'
import { openSnapshots } from '../../src/snapshots/open-snapshots.ts'
import { openSiteSettings } from '../../src/snapshots/site-settings.ts'
import { openCredentialRefresh } from '../../src/keys/credential-refresh.ts'
import type { RelayDeps, TaskServices } from '../../src/relay/app.ts'
import { createRelay } from '../../src/relay/create-relay.ts'
import { openTokens } from '../../src/relay/access-tokens.ts'
import type { RelayHarnessOptions } from './relay-harness-options.ts'
import { newChannel, newToken, newUser } from './rows.ts'
import { send, waitFor, type SendInput } from './send.ts'

/** The relay with all its services on a port of its own, without the admin API. */
export type RelayHarness = Awaited<ReturnType<typeof openRelayHarness>>

const LOOPBACK = ['127.0.0.0/8']

export async function openRelayHarness(options: RelayHarnessOptions = {}) {
  const clock = options.clock ?? systemClock
  const store = await openNewStore({
    sqlitePath: options.sqlitePath ?? ':memory:',
    ...(options.dsn !== undefined && { dsn: options.dsn }),
  })
  const ledger = await openLedger({ store, clock })
  const cipher = openCipher(Buffer.alloc(32, 7))
  const notices = memoryNotices({ onFailure: (error) => said.push({ level: 'notice', error }) })
  const said: Record<string, unknown>[] = []
  const log = {
    info: (fields: object, message: string) => void said.push({ level: 'info', message, ...fields }),
    warn: (fields: object, message: string) => void said.push({ level: 'warn', message, ...fields }),
    error: (fields: object, message: string) => void said.push({ level: 'error', message, ...fields }),
  }
  const { db } = store
  const settings = await openSiteSettings({ db, cipher, log })
  const snapshots = await openSnapshots({ db, cipher, notices, clock, providers, settings, log })
  const egress = openEgress({ allowedAddresses: LOOPBACK, limits: options.egressLimits ?? {} })
  // Tests serve their media from this machine as well, and the one private address used in tests is in no
  // allowed network.
  const mediaEgress = openEgress({ allowedAddresses: options.mediaAddresses ?? LOOPBACK })
  const real: RelayDeps['egress']['exchange'] = (request) => egress.exchange(request)
  const exchange: typeof real = (request) => options.exchange?.(request, real) ?? real(request)
  const session: { userId: number | undefined } = { userId: undefined }
  const disabled: { channelId: number; reason: string }[] = []
  const disabledKeys: { channelId: number; key: string; reason: string }[] = []
  const marked: { tokenId: number; status: number }[] = []
  const ended: { taskId: string; outcome: string }[] = []
  const notifier: TaskServices['notifier'] = {
    // A notice is queued for every task, and none is delivered.
    noticeOf: async ({ id }, outcome) => {
      const nowMs = clock.nowMs()
      return { cause: `task:${id}`, kind: 'mail', payload: outcome, dueMs: nowMs, nowMs }
    },
    ended: ({ task_id: taskId }, outcome) => void ended.push({ taskId, outcome }),
  }
  const refusedRenewals: string[] = []
  const credentialRefresh = openCredentialRefresh({
    db,
    cipher,
    clock,
    log,
    egress: { exchange },
    notices,
    onRefused: async (_channel, message) => void refusedRenewals.push(message),
  })
  const accessTokens = openTokens({ egress: { exchange }, clock })
  const relay = createRelay({
    accessTokens,
    tasks: {
      db,
      cipher,
      ownAddress: () => 'http://gateway.test',
      notifier,
    },
    snapshots,
    ledger: options.callLedger?.(ledger) ?? ledger,
    egress: {
      dispatcher: (origin, proxy) => egress.dispatcher(origin, proxy),
      socket: (request) => egress.socket(request),
      exchange,
    },
    mediaEgress,
    credentialRefresh,
    limiter: (_name, limits) => memoryLimiter(limits, clock),
    ttlCache: options.ttlCache ?? ((_name, ttlCache) => memoryTtlCache(ttlCache, clock)),
    clock,
    log,
    limits: options.limits ?? {},
    ...(options.random && { random: options.random }),
    clientAddress: (request) => request.socket.remoteAddress ?? '',
    identifySession: async () => {
      invariant(session.userId !== undefined, 'a playground test signs in first')
      return { userId: session.userId }
    },
    disableChannel: async (input) => {
      disabled.push(input)
      await db.updateTable('channels').set({ status: 3 }).where('id', '=', input.channelId).execute()
      await notices.publish({ entity: 'channels' })
    },
    disableKey: async ({ channelId, key, reason }) => {
      disabledKeys.push({ channelId, key, reason })
      const keys = { channelId, hashes: [channelKeyHash(channelId, key)] }
      await setKeyStatus(db, keys, { status: 3, reason, nowMs: 1 })
      await notices.publish({ entity: 'channels' })
    },
    markToken: async (input) => {
      marked.push(input)
      await db.updateTable('tokens').set({ status: input.status }).where('id', '=', input.tokenId).execute()
      await notices.publish({ entity: 'token', id: input.tokenId })
    },
    writeLogRows: async (rows) =>
      void (await db
        .insertInto('logs')
        .values([...rows])
        .execute()),
    writeTokenRefusals: async (counts, at) => {
      for (const count of counts) await addTokenRefusals(db, count, at)
    },
    reads: callerReads({ db, ledger }),
    writeLogTexts: (rows) => insertLogTexts(db, rows),
    cipher,
  })
  let leavers = 0
  const server = createServer((request, response) => {
    options.onCall?.(response)
    relay.handle(request, response)
    response.once('close', () => void (response.writableFinished || leavers++))
  })
  let socketsClosed = 0
  server.on('upgrade', (request, socket, head) => {
    socket.once('close', () => void socketsClosed++)
    relay.upgrade(request, socket, head)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the harness listens on a port')
  const { port } = address

  /** Adds a user who has paid for the quota, unless `isGift` is set. */
  async function addUser(
    parts: Partial<Insertable<UserTable>> & { quota?: bigint; isGift?: boolean } = {},
  ): Promise<number> {
    const { quota = 1_000_000n, isGift = false, ...columns } = parts
    const insert = db.insertInto('users').values({ ...newUser(), ...columns })
    const id = await insertedId(db, { insert, returning: insert.returning('id') })
    const key = `${isGift ? 'gift:new' : 'topup:test'}:${id}`
    if (quota > 0n) await ledger.credit({ key, account: accountId('user', id), amount: quota })
    await notices.publish({ entity: 'user', id })
    return id
  }

  /** Adds a token that is unlimited unless a quota is given. */
  async function addToken(userId: number, parts: Partial<Insertable<TokenTable>> & { quota?: bigint } = {}) {
    const { quota, ...columns } = parts
    const key = randomAlphanumeric(48)
    const insert = db
      .insertInto('tokens')
      .values({ ...newToken(key, userId), unlimited_quota: quota === undefined ? 1 : 0, ...columns })
    const id = await insertedId(db, { insert, returning: insert.returning('id') })
    const account = accountId('token', id)
    await ledger.adjust({ key: `test:t${id}`, account, delta: quota ?? 0n, unlimited: quota === undefined })
    await notices.publish({ entity: 'token', id })
    return { id, key, bearer: `sk-${key}` }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    snapshots,
    settings,
    clock,
    db,
    ledger,
    relay,
    cipher,
    notices,
    said,
    disabled,
    disabledKeys,
    marked,
    log,
    egress,
    taskCare: { notifier, accessTokens },
    /** Tasks that ended, in order. */
    ended,
    probe: relay,
    credentialRefresh,
    /** Messages to operators about credentials whose refresh was refused. */
    refusedRenewals,
    signIn: (userId: number) => void (session.userId = userId),
    addUser,
    addToken,
    /** Adds a user with a token, as most tests need. */
    addCaller: async (
      parts: {
        quota?: bigint
        isGift?: boolean
        user?: Partial<Insertable<UserTable>>
        token?: Partial<Insertable<TokenTable>>
        tokenQuota?: bigint
      } = {},
    ) => {
      const userId = await addUser({
        ...parts.user,
        ...(parts.quota !== undefined && { quota: parts.quota }),
        ...(parts.isGift !== undefined && { isGift: parts.isGift }),
      })
      const limit = parts.tokenQuota === undefined ? {} : { quota: parts.tokenQuota }
      const token = await addToken(userId, { ...parts.token, ...limit })
      return { userId, tokenId: token.id, bearer: token.bearer }
    },
    addChannel: async (
      baseUrl: string,
      parts: Partial<NewChannel & ChannelSecrets> & { key?: string } = {},
    ): Promise<number> => {
      const { key = 'upstream-key-1', ...others } = parts
      const { header_override = '', param_override = '', setting = '', ...columns } = others
      const row = { ...newChannel(baseUrl), ...columns }
      const texts = { header_override, param_override, setting }
      const id = await insertChannel(db, row, (channel) => ({
        key_sealed: cipher.encrypt(key, channelKeyContext(channel)),
        ...encryptChannelSecrets(texts, { id: channel, cipher }),
      }))
      await notices.publish({ entity: 'channels' })
      return id
    },
    setOption: async (key: string, value: string): Promise<void> => {
      const row = { key, value, version: 1, updated_ms: 0, updated_by: 0 }
      await db.deleteFrom('options').where('key', '=', key).execute()
      await db.insertInto('options').values(row).execute()
      await notices.publish({ entity: 'options' })
    },
    send: (input: SendInput) => send(port, input),
    /** Number of WebSocket sessions whose connection is closed. */
    socketsClosed: () => socketsClosed,
    /** Resolves once the gateway has noticed that `callers` clients disconnected. */
    noticed: (callers = 1) => waitFor(() => leavers >= callers),
    /** Resolves once every call has ended and is settled in the ledger. */
    settled: async () => {
      await waitFor(() => relay.inFlight === 0)
      await relay.drain(1_000)
    },
    /** Waits for running calls without closing the relay. */
    quiet: () => waitFor(() => relay.inFlight === 0),
    entries: async () => {
      const rows = db.selectFrom('entry').selectAll('entry').select(entryPrice.as('price'))
      const found = await rows.where('kind', '=', 'consume').orderBy('id').execute()
      return found.map(({ price, ...row }) => ({ ...row, price_json: price }))
    },
    logs: () => db.selectFrom('logs').selectAll().orderBy('id').execute(),
    openHolds: async () => (await db.selectFrom('hold').selectAll().execute()).length,
    balance: (userId: number) => ledger.balance(accountId('user', userId)),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await relay.drain(0)
      snapshots.close()
      await egress.close()
      await mediaEgress.close()
      await ledger.close()
      await store.close()
    },
  }
}
