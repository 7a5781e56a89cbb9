import { dirname, join } from 'node:path'
import { allRoutes } from '@tollgate/contract/routes'
import type { Coordination } from '@tollgate/coordination/coordination'
import { EVERYTHING, type Notices, isAbout } from '@tollgate/coordination/notices'
import { openEgress } from '@tollgate/egress/open-egress'
import type { Egress } from '@tollgate/egress/egress'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import { randomToken } from '@tollgate/kit/ids'
import { type Seal, openSeal } from '@tollgate/kit/seal'
import type { Ledger } from '@tollgate/ledger/ledger'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { providers } from '@tollgate/providers/index'
import { type Store, openStore } from '@tollgate/store/open-store'
import { isServerDsn } from '@tollgate/store/server/dsn'
import type { Logger } from 'pino'
import { openCoordination } from './app/coordination.ts'
import { type Correspondence, openCorrespondence } from './app/correspondence.ts'
import { openDoors, widgetOrigins } from './app/doors.ts'
import { type AllServices, allHandlers } from './app/handlers.ts'
import { type Limits, openLimits } from './app/limits.ts'
import { openLogs } from './app/log-database.ts'
import { createLog } from './app/logging.ts'
import { createMetrics } from './app/metrics.ts'
import { relayEffects } from './app/relay-effects.ts'
import { requireSameSecret } from './app/same-secret.ts'
import type { Parent } from './app/parent.ts'
import { type OpenBooks, openBooks } from './books/open-books.ts'
import type { Config } from './config.ts'
import { accessCheck } from './edge/access.ts'
import { clientAddressReader, trustedProxies } from './edge/client-address.ts'
import { type Edge, openEdge } from './edge/server.ts'
import { origins } from './edge/origin.ts'
import { auditJob } from './jobs/audit.ts'
import { moveLogsJob } from './jobs/move-logs.ts'
import { type Job, openJobs } from './jobs/open-jobs.ts'
import { pruneJob } from './jobs/prune.ts'
import { type Turn, nobodysTurn, takeTurns } from './jobs/turn.ts'
import { createProbe } from './relay/probe.ts'
import { type RelayPort, createRelay } from './relay/create-relay.ts'
import { shownQuotas } from './services/admin-user/shown-quotas.ts'
import { Searches } from './services/searches.ts'
import { auditTrail } from './services/audit-trail.ts'
import type { DoorAddresses } from './services/oauth/addresses.ts'
import { type OptionBook, openOptionBook } from './services/option/option-book.ts'
import { openIdentities } from './services/session/identities.ts'
import { openPasswords } from './services/session/passwords.ts'
import { creditSetupRoot } from './services/setup/root-credit.ts'
import { version } from './version.ts'

export interface RunningServer {
  /** `http://host:port` */
  readonly address: string
  readonly store: Store
  readonly ledger: Ledger
  readonly books: OpenBooks
  /** Stops as an orderly process does. `hurry` cuts the wait for open streams short. */
  close(options?: { drainMs?: number; hurry?: Promise<void> }): Promise<void>
}

export interface Overrides {
  readonly clock?: Clock
  readonly log?: Logger
  /** The database can no longer be written: the process must end, not zero. */
  readonly onFatal?: (error: Error) => void
  /** Where sign-in providers are, instead of where they really are. */
  readonly doors?: DoorAddresses
  readonly parent?: Parent
  /** Folder of the built console. */
  readonly consolePath?: string
}

const CONSOLE_PATH = join(import.meta.dirname, '..', '..', 'console', 'dist')

/** Opens everything in the order of its dependencies, and listens last. */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<RunningServer> {
  const { clock = systemClock, log = createLog(config), onFatal = () => undefined } = overrides
  const { parent } = overrides
  const coordination = parent?.coordination ?? (await openCoordination(config, { clock, log }))
  const openOurs = parent?.openStore ?? openOwnStore
  const store = await openOurs(config, onFatal)
  const seal = openSeal(config.keys.seal)
  await requireSameSecret(store.db, seal).catch(async (error: unknown) => {
    await store.close()
    await coordination.close()
    throw error
  })
  const logStore = await openLogs(config, store, log).catch(async (error: unknown) => {
    await store.close()
    await coordination.close()
    throw error
  })
  const nodeId = parent?.nodeId ?? randomToken(12)
  const onAlarm = (alarm: unknown): void => log.error({ alarm }, 'ledger alarm')
  const ledger = await openLedger({ store, clock, instanceId: nodeId, onAlarm, ...journalOf(config) })
  const base: Base = {
    config,
    clock,
    log,
    store,
    logs: logStore?.db,
    ledger,
    coordination,
    seal,
    egress: openEgress({ allowedAddresses: config.egressAllow }),
    notices: coordination.notices,
    limits: openLimits(config, coordination),
    doors: overrides.doors,
    consolePath: overrides.consolePath ?? CONSOLE_PATH,
    parent,
    state: { isReady: false, address: '' },
  }
  const book = await openSettings(base)
  const books = await openBooks({ ...base, db: store.db, providers })
  await creditSetupRoot({ store: store.db, ledger })
  const turn = config.nodeType === 'master' ? await takeTurns(turnOf(base, nodeId)) : nobodysTurn
  const correspondence = openCorrespondence({ ...base, book })
  const { edge, relay } = await openPlanes({ ...base, book, books, turn, correspondence })
  const { host, port } = { ...config, ...parent }
  const address = await edge.listen({ host, port, isShared: parent !== undefined })
  const jobs = openJobs({
    jobs: [...jobsOf(base), ...correspondence.jobs],
    mayRunOnce: () => turn.isOurs,
    log,
  })
  Object.assign(base.state, { isReady: true, address })

  async function close({
    drainMs = config.drainMs,
    hurry = never,
  }: Parameters<RunningServer['close']>[0] = {}) {
    base.state.isReady = false
    edge.stopListening()
    await Promise.race([relay.drain(drainMs), hurry.then(() => relay.drain(0))])
    await Promise.race([edge.close(drainMs), hurry.then(() => edge.close(0))])
    await jobs.close()
    await correspondence.close()
    books.close()
    await turn.close()
    await ledger.close()
    await logStore?.close()
    await store.close()
    await coordination.close()
    await base.egress.close()
  }

  return { address, store, ledger, books, close }
}

const never = new Promise<void>(() => undefined)

/** What everything else is made of. */
interface Base {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly store: Store
  /** The usage log, when it has a database of its own. */
  readonly logs: Store['db'] | undefined
  readonly ledger: Ledger
  readonly seal: Seal
  readonly egress: Egress
  readonly coordination: Coordination
  readonly notices: Notices
  readonly limits: Limits
  readonly doors: DoorAddresses | undefined
  readonly parent: Parent | undefined
  readonly consolePath: string
  /** The only thing here that changes. */
  readonly state: { isReady: boolean; address: string }
}

/** Beside the other file that every machine has its own of. The embedded database is never away. */
function journalOf({ sqlDsn, sqlitePath }: Config): { journalFolder?: string } {
  return isServerDsn(sqlDsn) ? { journalFolder: join(dirname(sqlitePath), 'journal') } : {}
}

function openOwnStore(config: Config, onFatal: (error: Error) => void): Promise<Store> {
  const { sqlDsn: dsn, sqlitePath, nodeType } = config
  return openStore({ dsn, sqlitePath, mayMigrate: nodeType === 'master', onFatal })
}

async function openSettings({ store, seal, log, notices }: Base): Promise<OptionBook> {
  const book = await openOptionBook({
    store: store.db,
    seal,
    onFault: (option, reason) =>
      log.error({ option, reason }, 'a stored setting cannot be used; its default is'),
  })
  notices.subscribe((notice) => (isAbout(notice, 'option') ? book.reload() : undefined))
  // What changed between reading and subscribing.
  await book.reload()
  return book
}

function turnOf({ store, clock }: Base, holder: string) {
  return { db: store.db, clock, name: 'jobs', holder }
}

function jobsOf({ ledger, log, store, logs, clock, notices, config }: Base): readonly Job[] {
  return [
    auditJob({ ledger, log }),
    pruneJob({ db: store.db, clock }),
    ...(logs ? [moveLogsJob({ from: store.db, to: logs })] : []),
    // In case a notice was lost, and instead of notices without Redis.
    {
      name: 'read-again',
      everyMs: config.syncMs,
      runs: 'everywhere',
      run: () => notices.tell({ entity: EVERYTHING }),
    },
  ]
}

type PlaneParts = Base & {
  readonly book: OptionBook
  readonly books: OpenBooks
  readonly turn: Turn
  readonly correspondence: Correspondence
}

/** Both planes behind one port. */
async function openPlanes(parts: PlaneParts): Promise<{ edge: Edge; relay: RelayPort }> {
  const { config, clock, log, store, ledger, limits, book, state, coordination, turn, parent } = parts
  const proxies = trustedProxies(config.trustedProxies)
  const rim = {
    clientAddress: clientAddressReader(proxies),
    origins: origins({ proxies, publicAddress: () => book.get('ServerAddress') }),
    identities: openIdentities({ store: store.db, clock, sessionKey: config.keys.session }),
  }
  const access = accessCheck(rim)
  const relay = createRelay({
    ...parts,
    ...relayEffects({ db: store.db, clock, notices: parts.notices }),
    clientAddress: rim.clientAddress,
    identifySession: (request) => access.identifySession(request),
    forcesUsage: config.isUsageAskedFor,
    limits: {
      bodyBytesMax: config.relayBodyBytesMax,
      idleMs: config.streamIdleMs,
      ...(config.relayTimeoutMs > 0 && { firstByteMs: config.relayTimeoutMs }),
    },
  })
  const figures = createMetrics({ ledger, relay, coordination, turn })
  const edge = await openEdge({
    ...rim,
    version,
    clock,
    log,
    table: allRoutes,
    bound: allHandlers(servicesOf(parts)),
    access,
    limits,
    health: {
      isReady: async () => state.isReady && (await store.ping()),
      metrics: parent?.gatherMetrics(figures) ?? (async () => (await figures()).metrics()),
    },
    metricsToken: config.metricsToken,
    console: { path: parts.consolePath, redirectTo: consoleElsewhere(config) },
    scriptOrigins: () => widgetOrigins(book),
    relay,
  })
  return { edge, relay }
}

/** As in the family, a master always serves the console itself. */
function consoleElsewhere({ nodeType, frontendBaseUrl }: Config): string | undefined {
  return nodeType === 'slave' ? frontendBaseUrl : undefined
}

function servicesOf(parts: PlaneParts): AllServices {
  const { store, logs, ledger, clock, seal, egress, notices, limits, config, book, books, state } = parts
  return {
    store: store.db,
    logs,
    ledger,
    clock,
    seal,
    egress,
    books,
    book,
    options: book,
    notices: {
      publish: (topic, id) => notices.publish({ entity: ENTITY_OF[topic], ...(id !== undefined && { id }) }),
    },
    audit: auditTrail({ store: store.db, clock }),
    passwords: openPasswords(),
    ...openDoors(parts),
    ...parts.correspondence.services,
    shownQuotas: shownQuotas(),
    searches: new Searches(),
    accountFailures: limits.accountFailures,
    addressMails: limits.addressMails,
    isDefaultTokenMade: config.isDefaultTokenMade,
    providers,
    probe: createProbe(parts),
    version,
    startedMs: clock.nowMs(),
    ownAddress: () => state.address,
    releasesUrl: config.releasesUrl,
  }
}

/** Services name the table they wrote, listeners the thing that changed. */
const ENTITY_OF = { options: 'option', users: 'user', tokens: 'token', channels: 'channel' } as const
