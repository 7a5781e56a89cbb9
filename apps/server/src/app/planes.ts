import { allRoutes } from '@tollgate/contract/routes'
import type { Clock } from '@tollgate/kit/clock'
import { isServerDsn } from '@tollgate/store/server/dsn'
import type { Config } from '../config/index.ts'
import { accessCheck } from '../edge/access.ts'
import { createAccessLog } from '../edge/access-log.ts'
import { clientAddressReader, trustedProxies } from '../edge/client-address.ts'
import { countAddress, countWrongKey } from '../edge/limits.ts'
import { origins } from '../edge/origin.ts'
import { openIdempotencyStore } from '../edge/idempotency.ts'
import { type Edge, openEdge } from '../edge/server.ts'
import { type RelayPort, createRelay } from '../relay/create-relay.ts'
import { openIdentities } from '../services/session/identities.ts'
import { epay } from '../services/top-up/gateways/epay.ts'
import { version } from '../version.ts'
import { findDataFolder } from './journal-folder.ts'
import type { PlaneParts } from './base.ts'
import { widgetOrigins } from './sign-in-providers.ts'
import { framedChatOrigins } from './framed-chats.ts'
import { callerReads } from './caller-reads.ts'
import { allHandlers } from './handlers.ts'
import { callLedger } from '../relay/call-ledger.ts'
import { CallMetrics } from '../relay/metrics/call-metrics.ts'
import { createMetrics } from './metrics/create-metrics.ts'
import { createReadiness } from './readiness.ts'
import { relayEffects } from './relay-effects.ts'
import { servicesOf } from './services.ts'

/** Opens the relay (data plane) and the admin API behind one HTTP port. */
export async function openPlanes(
  parts: PlaneParts,
): Promise<{ edge: Edge; relay: RelayPort; metrics: CallMetrics }> {
  const { config, clock, log, store, ledger, limits, settings, state, coordination, parent } = parts
  const proxies = trustedProxies(config.trustedProxies)
  const rim = {
    clientAddress: clientAddressReader(proxies),
    origins: origins({
      proxies,
      publicAddress: () => settings.get('ServerAddress'),
      onHostsDiffer: onceAMinute(clock, (hosts) =>
        log.warn(
          hosts,
          "request refused: the page's origin differs from the Host header; make the proxy pass Host through, or set TRUSTED_PROXIES",
        ),
      ),
    }),
    identities: openIdentities({
      store: store.db,
      clock,
      networks: parts.networks,
      sessionKey: config.keys.session,
    }),
  }
  const access = accessCheck(rim)
  const metrics = new CallMetrics(config.metricsLabels)
  const relay = createRelay({
    ...parts,
    ledger: callLedger(ledger),
    ...relayEffects({
      db: store.db,
      logs: parts.logs ?? store.db,
      notices: parts.notices,
      switch: parts.desk.switch,
    }),
    reads: callerReads({ db: store.db, logs: parts.logs, ledger }),
    health: parts.desk.health,
    traffic: parts.desk.traffic,
    metrics,
    tracing: parts.tracing,
    lessons: parts.desk.lessons,
    affinity: parts.desk.affinity,
    credentialRefresh: parts.desk.credentialRefresh,
    clientAddress: rim.clientAddress,
    limiter: coordination.limiter,
    ttlCache: coordination.ttlCache,
    countAddress: (address) => countAddress(limits, 'api', address),
    countWrongKey: (address) => countWrongKey(limits, address),
    identifySession: (request) => access.identifySession(request),
    forcesUsage: config.isUsageAskedFor,
    limits: {
      bodyBytesMax: config.relayBodyBytesMax,
      bodiesBytesMax: config.bodiesBytesMax,
      userBodiesBytesMax: config.userBodiesBytesMax,
      mediaBytesMax: config.mediaBytesMax,
      idleMs: config.streamIdleMs,
      ...(config.relayTimeoutMs > 0 && { firstByteMs: config.relayTimeoutMs }),
    },
  })
  const readiness = createReadiness({ state, ledger, store, isOnServer: isServerDsn(config.sqlDsn) })
  const figures = createMetrics({
    ...parts,
    readiness,
    relay,
    metrics,
    routing: parts.desk.routing,
    db: store.db,
    dataFolder: findDataFolder(config.sqlitePath),
  })
  const edge = await openEdge({
    ...rim,
    idempotency: openIdempotencyStore(coordination, parts.cipher),
    caughtUp: () => ledger.caughtUp(),
    version,
    clock,
    log,
    table: allRoutes,
    bound: allHandlers(servicesOf(parts, relay)),
    access,
    limits,
    health: {
      readiness,
      metrics: parent?.gatherMetrics(figures) ?? (async () => (await figures()).metrics()),
    },
    metricsToken: config.metricsToken,
    console: { path: parts.consolePath, redirectTo: consoleElsewhere(config) },
    scriptOrigins: () => widgetOrigins(settings),
    formOrigins: () => epay.formOrigins(settings),
    frameOrigins: () => framedChatOrigins(settings.get('Chats')),
    relay,
    accessLog: config.isAccessLogged
      ? createAccessLog({
          clock,
          clientAddress: rim.clientAddress,
          write: (fields, message) => log.info(fields, message),
        })
      : undefined,
  })
  return { edge, relay, metrics }
}

/** Anyone can send requests that trigger this log line, so it is written at most once a minute. */
function onceAMinute<Input>(clock: Clock, run: (input: Input) => void): (input: Input) => void {
  let nextAt = Number.NEGATIVE_INFINITY
  return (input) => {
    if (clock.monotonicMs() < nextAt) return
    nextAt = clock.monotonicMs() + 60_000
    run(input)
  }
}

/** As in new-api, a master always serves the console itself; only a slave redirects to FRONTEND_BASE_URL. */
function consoleElsewhere({ nodeType, frontendBaseUrl }: Config): string | undefined {
  return nodeType === 'slave' ? frontendBaseUrl : undefined
}
