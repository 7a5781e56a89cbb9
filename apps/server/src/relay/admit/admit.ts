import type { Ask } from '@tollgate/dialects/dialect'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { readAsk } from '@tollgate/dialects/ask'
import type { CallOperation } from '@tollgate/dialects/conversations'
import { problem } from '@tollgate/kit/problem'
import { wayTo } from '@tollgate/providers/prepare'
import type { Books, Candidates, PriceBook } from '../../books/books.ts'
import type { Call } from '../call.ts'
import type { CallEntrance } from '../entrance.ts'
import type { RelayLimits } from '../limits.ts'
import type { Admitted } from './admitted.ts'
import { authenticate, checkOwner, type AuthenticatePorts } from './authenticate.ts'
import { readBody } from './body.ts'
import type { Caller } from './caller.ts'
import { groupOf, playgroundGroup } from './group.ts'

export interface AdmitPorts extends AuthenticatePorts {
  readonly limits: RelayLimits
  /** Who is signed in to the console. Rejects with a Problem when nobody is, or not by a browser's session. */
  readonly identifySession: (request: Call['request']) => Promise<{ readonly userId: number }>
}

/** Who is calling, may they, and what do they ask? Throws the Problem of the first check that fails. */
export async function admit(call: Call, entrance: CallEntrance, ports: AdmitPorts): Promise<Admitted> {
  const settings = ports.books.settings()
  if (settings.isBrowserExtensionBlocked && entrance.operation === 'chat') refuseExtensions(call)
  const caller =
    entrance.identity === 'token' ? authenticate(call, entrance.path, ports) : await ofSession(call, ports)
  call.caller = caller
  const bytes = await readBody(call.request, ports.limits.bodyBytesMax)
  const asked = readAsk(entrance.operation, bytes, entrance.defaults)
  const ask = caller.token === undefined ? withoutGroup(entrance.operation, asked) : asked
  const prices = ports.books.prices()
  const group = groupFor(caller, asked, prices)
  call.asked = { model: ask.model, group, isStream: ask.isStream }
  const candidates = candidatesFor(caller, { ask, group, operation: entrance.operation, books: ports.books })
  return { call, operation: entrance.operation, caller, ask, group, candidates, prices, settings }
}

async function ofSession(call: Call, ports: AdmitPorts): Promise<Caller> {
  const { userId } = await ports.identifySession(call.request)
  const owner = ports.books.keyring.owner(userId)
  if (owner === undefined) throw problem('user_banned')
  checkOwner(owner)
  return { owner, token: undefined, pinned: undefined, address: ports.clientAddress(call.request) }
}

function groupFor({ owner, token }: Caller, asked: Ask, prices: PriceBook): string {
  return token ? groupOf(owner, token, prices) : playgroundGroup(asked.body['group'], owner, prices)
}

/** The playground's own field; an upstream would not know it. */
function withoutGroup(operation: CallOperation, ask: Ask): Ask {
  if (!Object.hasOwn(ask.body, 'group')) return ask
  return readAsk(operation, spliceTopLevel(ask.bytes, { set: {}, remove: ['group'], members: ask.members }))
}

interface Wanted {
  readonly ask: Ask
  readonly group: string
  readonly operation: CallOperation
  readonly books: Books
}

function candidatesFor(caller: Caller, { ask, group, operation, books }: Wanted): Candidates {
  const { token, pinned } = caller
  const { model } = ask
  if (pinned) return { model: withoutPrefix(model, pinned.modelPrefix), tiers: [[pinned]] }
  if (token?.models !== undefined && !token.models.has(model)) throw problem('model_not_allowed', { model })
  const candidates = books.roster().candidates(group, model)
  const isServed = candidates.tiers.some((tier) =>
    tier.some(({ provider }) => wayTo(provider, operation) !== undefined),
  )
  if (isServed) return candidates
  throw problem(token ? 'no_channel' : 'get_playground_channel_failed', { model, group })
}

function withoutPrefix(model: string, prefix: string): string {
  return prefix !== '' && model.startsWith(prefix) ? model.slice(prefix.length) : model
}

function refuseExtensions({ request }: Call): void {
  const origin = request.headers.origin ?? ''
  if (origin.includes('extension') && origin.includes('://')) throw problem('browser_extension_blocked')
}
