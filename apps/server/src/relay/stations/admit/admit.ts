import type { Ask } from '@tollgate/dialects/dialect'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import { problem } from '@tollgate/problems/problem'
import type { PriceBook } from '../../../snapshots/snapshots.ts'
import { settingsFor } from '../../../snapshots/trust.ts'
import type { App } from '../../app.ts'
import { affinityOf } from '../../affinity/call-affinity.ts'
import type { Call } from '../../call.ts'
import type { CallRoute } from '../../relay-route.ts'
import { refuseKnown } from '../record/refusals.ts'
import type { KnownCall } from '../record/row.ts'
import type { Admitted } from './admitted.ts'
import { authenticate, checkOwner } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { countCall } from './count-call.ts'
import { groupsOf, playgroundGroups } from './group.ts'
import { keepNamedModels } from './named-models.ts'
import { playgroundAsk } from './playground-ask.ts'
import { readCall } from './read-call.ts'
import { findKeptCandidates } from './thread-keeper.ts'

/**
 * Checks who is calling, whether they may, and what they request. Throws the Problem of the first check that
 * fails.
 */
export async function admit(call: Call, relayRoute: CallRoute, app: App): Promise<Admitted> {
  const settings = app.snapshots.settings()
  if (settings.isBrowserExtensionBlocked && relayRoute.operation.isRefusedInExtensions) refuseExtensions(call)
  const caller =
    relayRoute.identity === 'token' ? authenticate(call, relayRoute.path, app) : await ofSession(call, app)
  let known: KnownCall = { call, caller }
  try {
    if (call.socket !== undefined) await app.sockets.takeFor(call.socket, caller)
    const counting = countCall({ call, caller, limits: settings.callLimits }, app)
    if (counting !== undefined) await counting
    const asked = await readCall({ call, relayRoute, caller, settings }, app)
    if (asked.names !== undefined) call.taken = asked.names.taken
    const ask = caller.token === undefined ? playgroundAsk(asked) : asked
    const prices = app.snapshots.prices()
    const { operation } = relayRoute
    const groups = groupsFor(caller, asked, { prices, autoGroups: settings.autoGroups })
    const found = app.sessions.find({
      ownerId: caller.owner.id,
      headers: call.request.headers,
      body: ask.body,
      connection: call.connection,
    })
    const session = found instanceof Promise ? await found : found
    known = { call, caller, ask, group: groups[0], session }
    const uncounted = uncountedInput(operation.wire, ask.body)
    const roster = app.snapshots.roster()
    const query = { ask, uncounted, groups, operation: operation.wire, roster, onlyChannel: call.onlyChannel }
    const offers = findKeptCandidates(caller, query, app.keptThreads)
    const { groups: offered, keeper } = offers instanceof Promise ? await offers : offers
    const [first, ...others] = offered
    const fallbacks = caller.token?.triesNextGroup === true ? others : []
    const tried = [first, ...fallbacks].map(({ group }) => group)
    const named = keepNamedModels({
      caller,
      ask,
      service: { operation: operation.wire, uncounted },
      groups: [first, ...fallbacks],
      roster,
      prices,
    })
    if (named.taken.length > 0) call.taken = [...call.taken, ...named.taken]
    const ownSettings = settingsFor(caller.owner, settings)
    const affinity = affinityOf({ call, ask, operation, caller, session, groups: tried, settings }, app)
    const seals = app.sealBook.find(caller.owner.id, operation.wire, ask.body)
    return {
      call,
      operation,
      caller,
      ask: named.ask,
      seals: seals && (await seals),
      session,
      uncounted,
      keeper,
      namedModels: named.namedModels,
      affinity: affinity instanceof Promise ? await affinity : affinity,
      group: first.group,
      candidates: first.candidates,
      fallbacks,
      prices,
      settings: ownSettings,
    }
  } catch (error) {
    return refuseKnown(error, known)
  }
}

async function ofSession(call: Call, app: App): Promise<Caller> {
  const { userId } = await app.identifySession(call.request)
  const owner = app.snapshots.keyring.owner(userId)
  if (owner === undefined) throw problem('user_banned')
  checkOwner(owner)
  return { owner, token: undefined, pinned: undefined, address: app.clientAddress(call.request) }
}

interface Grouping {
  readonly prices: PriceBook
  readonly autoGroups: readonly string[]
}

function groupsFor(
  { owner, token }: Caller,
  asked: Ask,
  { prices, autoGroups }: Grouping,
): readonly string[] {
  return token
    ? groupsOf({ owner, token }, prices, autoGroups)
    : playgroundGroups(asked.body['group'], { owner, prices, autoGroups })
}

function refuseExtensions({ request }: Call): void {
  const origin = request.headers.origin ?? ''
  if (origin.includes('extension') && origin.includes('://')) throw problem('browser_extension_blocked')
}
