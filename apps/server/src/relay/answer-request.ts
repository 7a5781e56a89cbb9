import type { IncomingMessage } from 'node:http'
import { problem, type Problem } from '@tollgate/problems/problem'
import type { App } from './app.ts'
import { billingFigures } from './billing-figures.ts'
import type { Call } from './call.ts'
import { countTokens } from './count-tokens.ts'
import { modelEntry, modelList, offeredTo } from './models.ts'
import { credits, keyInfo } from './own-account/balances.ts'
import { generation } from './own-account/generation.ts'
import { refuseToken } from './refused-token.ts'
import { normalisePath, type CallRoute, type RelayRoute } from './relay-route.ts'
import { authenticate } from './stations/admit/authenticate.ts'
import type { Caller } from './stations/admit/caller.ts'
import { writeWhole } from './stations/deliver/outlet.ts'
import { answerPreflight } from './stations/deliver/preflight.ts'
import type { TaskRelayRoute } from './tasks/task-route.ts'

/** Requests with a token that the gateway answers without an upstream. */
type OwnRoute = Extract<RelayRoute, { type: 'models' | 'model' | 'count-tokens' | 'figures' | 'own-account' }>

const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers a request that needs no upstream. */
export async function answerRequest(
  call: Call,
  relayRoute: Exclude<RelayRoute, CallRoute | TaskRelayRoute>,
  app: App,
): Promise<void> {
  const path = normalisePath(call.request.url ?? '')
  if (relayRoute.type === 'unknown') throw problem('invalid_url', { method: call.request.method ?? '', path })
  if (relayRoute.type === 'preflight') return answerPreflight(call)
  if (relayRoute.type === 'post-or-socket') throw noHandshake(call.request, path)
  if (isCounted(relayRoute)) await app.countAddress?.(app.clientAddress(call.request))
  const caller = authenticate(call, path, app)
  try {
    if (relayRoute.type === 'not-implemented') throw problem('api_not_implemented')
    const text = await textFor(call, relayRoute, { caller, app })
    writeWhole(call, { status: 200, type: JSON_TYPE, body: Buffer.from(text) })
  } catch (error) {
    if (caller.token === undefined) throw error
    refuseToken(error, { token: caller.token, address: caller.address })
  }
}

interface Answering {
  readonly caller: Caller
  readonly app: App
}

function textFor(call: Call, relayRoute: OwnRoute, { caller, app }: Answering): string | Promise<string> {
  const { snapshots, ledger } = app
  const settings = snapshots.settings()
  if (relayRoute.type === 'count-tokens') return countTokens({ call, relayRoute, caller, settings }, app)
  if (relayRoute.type === 'figures')
    return billingFigures({ kind: relayRoute.kind, caller, ledger, settings })
  if (relayRoute.type === 'own-account') return ownAccount(call, relayRoute, { caller, app })
  const { dialect } = call
  if (relayRoute.type === 'models') return modelList(caller, snapshots, { dialect, query: relayRoute.query })
  return modelEntry(caller, relayRoute.model, snapshots, dialect)
}

/** Reads of the database count like those of the console. */
function isCounted({ type }: RelayRoute): boolean {
  return type === 'figures' || type === 'own-account'
}

function ownAccount(
  { startedMs: nowMs }: Call,
  { read, query }: Extract<OwnRoute, { type: 'own-account' }>,
  { caller, app }: Answering,
): Promise<string> {
  const { snapshots, ledger, reads } = app
  const settings = snapshots.settings()
  if (read === 'credits') return credits({ caller, ledger, settings })
  if (read === 'key') return keyInfo({ caller, ledger, settings, reads, nowMs })
  const offered = offeredTo(caller, snapshots)
  return generation({
    id: query.get('id') ?? '',
    userId: caller.owner.id,
    reads,
    quotaPerUnit: settings.quotaPerUnit,
    vendorOf: (model) => offered.find(({ id }) => id === model)?.ownedBy,
  })
}

/**
 * A handshake gets here when a proxy removed its `upgrade` header. A client that wants a WebSocket falls back to
 * HTTP at once after 426; after 404 or 405 some clients retry the upgrade.
 */
function noHandshake({ headers }: IncomingMessage, path: string): Problem {
  const isHandshake = headers['sec-websocket-key'] !== undefined
  return isHandshake
    ? problem('websocket_unsupported', { path })
    : problem('method_not_allowed', { path, allowed: 'POST' })
}
