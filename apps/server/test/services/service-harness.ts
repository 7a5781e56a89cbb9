import { randomBytes } from 'node:crypto'
import type { RouteDefinition } from '@tollgate/contract/route'
import { memoryLimiter } from '@tollgate/coordination/memory-limiter'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { memoryNotices } from '@tollgate/coordination/memory-notices'
import type { ExchangeRequest } from '@tollgate/egress/egress'
import { ManualClock } from '@tollgate/kit/clock'
import type { Language } from '@tollgate/problems/problem'
import { openCipher } from '@tollgate/kit/cipher'
import { openLedger } from '@tollgate/ledger/open-ledger'
import type { Db } from '@tollgate/store/tables/schema'
import { openNewStore } from '@tollgate/testkit/new-store'
import type { z } from 'zod'
import { openSnapshots } from '../../src/snapshots/open-snapshots.ts'
import { openCredentialRefresh } from '../../src/keys/credential-refresh.ts'
import { KeyHealth } from '../../src/relay/stations/route/key-health.ts'
import { openAffinity } from '../../src/relay/affinity/affinity.ts'
import { openRoutingInsight } from '../../src/relay/routing-insight.ts'
import { ChannelLessons } from '../../src/relay/lessons/channel-lessons.ts'
import { ChannelTraffic } from '../../src/relay/traffic.ts'
import {
  type Actor,
  Answer,
  type BoundRoute,
  FileAnswer,
  type UserHeader,
} from '../../src/services/handler.ts'
import { openChanges } from '../../src/services/change.ts'
import { openShownQuotas } from '../../src/services/shown-quotas.ts'
import { Searches } from '../../src/services/searches.ts'
import { channelHandlers } from '../../src/services/channel/handlers.ts'
import { notifyKeyNotRenewed } from '../../src/services/channel/renew-key.ts'
import { openGuard } from '../../src/services/guard.ts'
import { groupHandlers } from '../../src/services/group/handlers.ts'
import { jobHandlers } from '../../src/services/job/handlers.ts'
import { openChannelSwitch } from '../../src/services/channel/switch.ts'
import { openOutbox } from '../../src/services/outbox/outbox.ts'
import { affinityHandlers } from '../../src/services/affinity/handlers.ts'
import { callSessionHandlers } from '../../src/services/call-session/handlers.ts'
import { logHandlers } from '../../src/services/log/handlers.ts'
import { modelHandlers } from '../../src/services/model/handlers.ts'
import { openSiteSettings } from '../../src/snapshots/site-settings.ts'
import { pricingHandlers } from '../../src/services/pricing/handlers.ts'
import { taskHandlers } from '../../src/services/task/handlers.ts'
import { openKeyLists } from '../../src/services/token/key-lists.ts'
import { tokenHandlers } from '../../src/services/token/handlers.ts'
import { usageHandlers } from '../../src/services/usage/handlers.ts'
import { BlockingProxy, providers } from './fake-upstreams.ts'

/** The real services over a database in memory; only outgoing requests are replaced. */
export type ServiceHarness = Awaited<ReturnType<typeof openServiceHarness>>

export interface Ask {
  readonly as?: Actor | undefined
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** Language of the caller. Default: English. */
  readonly language?: Language
  readonly userHeader?: UserHeader
}

export interface Given<Data> {
  readonly data: Data
  readonly message: string
  readonly extra: Readonly<Record<string, unknown>>
}

export interface ServiceHarnessOptions {
  /** Default: longer than any search takes on a slow machine. */
  readonly searchMs?: number
  /** Database of the usage log, when it is a separate one. */
  readonly logs?: Db
}

export async function openServiceHarness({ searchMs = 60_000, logs }: ServiceHarnessOptions = {}) {
  const store = await openNewStore({ sqlitePath: ':memory:' })
  const clock = new ManualClock()
  const cipher = openCipher(randomBytes(32))
  const ledger = await openLedger({ store, clock })
  await store.db
    .insertInto('users')
    .values([userRow(7), userRow(8)])
    .execute()
  const notices = memoryNotices({ onFailure: failLoudly })
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const options = await openSiteSettings({ db: store.db, cipher, log })
  const snapshots = await openSnapshots({
    db: store.db,
    cipher,
    notices,
    clock,
    providers,
    settings: options,
    log,
  })
  const outside = new BlockingProxy()
  const topics = {
    publish: (entity: string, id?: number) => notices.publish(id === undefined ? { entity } : { entity, id }),
  }
  const changes = openChanges({ store: store.db, clock, notices: topics })
  const outbox = openOutbox({ store: store.db, clock, cipher, onAdded: () => undefined })
  const desk = { store: store.db, clock, outbox, limit: { count: 2, windowMs: 600_000 } }
  const health = new KeyHealth()
  const traffic = new ChannelTraffic(clock)
  const lessons = new ChannelLessons({
    clock,
    log,
    notices,
    ttlCache: (_name, ttlCache) => memoryTtlCache(ttlCache, clock),
  })
  const services = {
    store: store.db,
    logs,
    ledger,
    clock,
    cipher,
    options,
    snapshots,
    providers,
    notices: topics,
    ...changes,
    searches: new Searches({ statementMs: searchMs }),
    countWrongKey: () => undefined,
    keyLists: openKeyLists({
      store: store.db,
      clock,
      limiter: memoryLimiter({ limit: 60, windowMs: 60_000 }, clock),
      ...changes,
    }),
    shownQuotas: openShownQuotas({ ttlCache: (_name, ttlCache) => memoryTtlCache(ttlCache, clock) }),
    egress: { exchange: (request: ExchangeRequest) => outside.exchange(request) },
    probe: {
      probe: async ({ channelId }: { channelId: number }) =>
        outside.probeResults.get(channelId) ?? outside.probeResult,
      isCostlyProbe: (channelId: number) => outside.costlyChannels.has(channelId),
    },
    desk,
    switch: openChannelSwitch({ store: store.db, clock, notices: topics, desk, isConfirmed: () => true }),
    routing: openRoutingInsight({
      snapshots,
      health,
      traffic,
      lessons,
      affinity: openAffinity({ clock, ttlCache: (_name, ttlCache) => memoryTtlCache(ttlCache, clock) }),
      cipher,
      now: () => clock.monotonicMs(),
      random: Math.random,
    }),
    credentialRefresh: openCredentialRefresh({
      db: store.db,
      cipher,
      clock,
      log: { ...log, error: () => undefined },
      egress: { exchange: (request: ExchangeRequest) => outside.exchange(request) },
      notices,
      onRefused: (channel, reason) => notifyKeyNotRenewed(desk, channel, reason),
    }),
    health,
    traffic,
    lessons,
    jobNotes: { jobs: [{ name: 'audit', everyMs: 60_000, runs: 'once' as const, nextMs: 0, times: '' }] },
    ownAddress: () => 'http://gateway.test',
  }
  const bound: readonly BoundRoute[] = [
    ...tokenHandlers(services),
    ...channelHandlers(services),
    ...jobHandlers(services),
    ...logHandlers(services),
    ...callSessionHandlers(services),
    ...affinityHandlers(services),
    ...groupHandlers(services),
    ...modelHandlers(services),
    ...pricingHandlers(services),
    ...taskHandlers(services),
    ...usageHandlers(services),
  ]
  return {
    ...services,
    outside,
    call: <Route extends RouteDefinition>(route: Route, ask: Ask = {}) =>
      callRoute(route, { bound, clock, ask }),
    file: (route: RouteDefinition, ask: Ask = {}) => fileOf(route, { bound, clock, ask }),
    close: async () => {
      snapshots.close()
      await ledger.close()
      await store.close()
    },
  }
}

/** Rows of users 7 and 8. */
function userRow(id: number) {
  return {
    id,
    username: `user${id}`,
    username_key: `user${id}`,
    password_hash: '',
    display_name: '',
    role: 1,
    status: 1,
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    access_token_hash: null,
    group_name: 'default',
    aff_code: `aff${id}`,
    aff_count: 0,
    inviter_id: 0,
    setting: '',
    last_check_in_ms: null,
    created_ms: 0,
    deleted_ms: null,
  }
}

export function actor(id: number, fields: Partial<Actor> = {}): Actor {
  const provenMs = new ManualClock().nowMs()
  return {
    id,
    username: `user${id}`,
    role: 1,
    group: 'default',
    via: 'session',
    provenMs,
    provenBy: 'password',
    ...fields,
  }
}

interface CallParts {
  readonly bound: readonly BoundRoute[]
  readonly clock: ManualClock
  readonly ask: Ask
}

/**
 * Calls a handler as the HTTP edge does: request schemas first, then the handler, then the response schema.
 */
async function callRoute<Route extends RouteDefinition>(
  route: Route,
  parts: CallParts,
): Promise<Given<z.output<Route['data']>>> {
  const result = await handled(route, parts)
  const { data, message, extra } = result instanceof Answer ? result : new Answer({ data: result })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed with the schema of this route
  const checked = route.data.parse(data) as z.output<Route['data']>
  return { data: checked, message, extra: route.extra ? route.extra.parse(extra) : {} }
}

async function fileOf(route: RouteDefinition, parts: CallParts): Promise<FileAnswer> {
  const result = await handled(route, parts)
  if (!(result instanceof FileAnswer)) throw new Error(`${route.method} ${route.path} answers no file`)
  return result
}

async function handled(route: RouteDefinition, { bound, clock, ask }: CallParts): Promise<unknown> {
  const handler = bound.find((one) => one.route === route)
  if (!handler) throw new Error(`${route.method} ${route.path} has no handler`)
  const guard = openGuard(route, { actor: ask.as, nowMs: clock.nowMs() })
  const result = await handler.handle({
    params: route.params.parse(ask.params ?? {}),
    query: route.query.parse(ask.query ?? {}),
    body: route.body.parse(ask.body ?? {}),
    actor: ask.as,
    address: '203.0.113.9',
    userAgent: 'test',
    userHeader: ask.userHeader ?? 'own',
    presentedKey: undefined,
    hostName: 'gate.example',
    isLocal: false,
    language: ask.language ?? 'en',
    requestId: 'request',
    guard,
    session: { start: nothing, renew: nothing, end: nothing },
    browser: { known: undefined, mark: () => 'browser' },
  })
  guard.checkAsked()
  return result
}

async function nothing(): Promise<void> {}

function failLoudly(error: unknown): void {
  throw error
}
