import type { Ask } from '@tollgate/dialects/dialect'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { readAsk } from '@tollgate/dialects/ask'
import type { CallOperation } from '@tollgate/dialects/conversations'
import { readFormAsk } from '@tollgate/dialects/media/read-form-ask'
import { takesForm } from '@tollgate/dialects/media/operation'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import { problem } from '@tollgate/kit/problem'
import type { PriceBook } from '../../books/books.ts'
import { settingsFor } from '../../books/trust.ts'
import type { Call } from '../call.ts'
import type { CallEntrance } from '../entrance.ts'
import type { RelayLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { Admitted } from './admitted.ts'
import { authenticate, checkOwner, type AuthenticatePorts } from './authenticate.ts'
import { readBody } from './body.ts'
import type { Caller } from './caller.ts'
import { type CountPorts, countCall } from './count-call.ts'
import { groupsOf, playgroundGroups } from './group.ts'
import { offersFor } from './offers.ts'
import { refuseWords, textsOfCall } from './words.ts'

export interface AdmitPorts extends AuthenticatePorts, CountPorts {
  readonly limits: RelayLimits
  /** Who is signed in to the console. Rejects with a Problem when nobody is, or not by a browser's session. */
  readonly identifySession: (request: Call['request']) => Promise<{ readonly userId: number }>
  readonly log: Log
}

/** Who is calling, may they, and what do they ask? Throws the Problem of the first check that fails. */
export async function admit(call: Call, entrance: CallEntrance, ports: AdmitPorts): Promise<Admitted> {
  const settings = ports.books.settings()
  if (settings.isBrowserExtensionBlocked && entrance.operation === 'chat') refuseExtensions(call)
  const caller =
    entrance.identity === 'token' ? authenticate(call, entrance.path, ports) : await ofSession(call, ports)
  call.caller = caller
  await countCall({ call, caller, limits: settings.callLimits }, ports)
  const bytes = await bodyOf(call, ports.limits.bodyBytesMax)
  const asked = askOf(call, entrance, bytes)
  const ask = caller.token === undefined ? withoutGroup(entrance.operation, asked) : asked
  if (settings.refusedWords !== undefined)
    refuseWords(settings.refusedWords, textsOfCall({ operation: entrance.operation, ask }), (word) =>
      ports.log.warn({ word, userId: caller.owner.id, requestId: call.id }, 'a call had a refused word'),
    )
  const prices = ports.books.prices()
  const { operation } = entrance
  const groups = groupsFor(caller, asked, { prices, autoGroups: settings.autoGroups })
  call.asked = { model: ask.model, group: groups[0] ?? '', isStream: ask.isStream }
  const uncounted = uncountedInput(operation, ask.body)
  const roster = ports.books.roster()
  const [first, ...others] = offersFor(caller, { ask, uncounted, groups, operation, roster })
  call.asked = { ...call.asked, group: first.group }
  const fallbacks = caller.token?.triesNextGroup === true ? others : []
  const ownSettings = settingsFor(caller.owner, settings)
  return { call, operation, caller, ask, uncounted, ...first, fallbacks, prices, settings: ownSettings }
}

/** A session asks in frames, later. */
function bodyOf({ request, socket }: Call, bytesMax: number): Promise<Buffer> {
  return socket === undefined ? readBody(request, bytesMax) : Promise.resolve(NOTHING_YET)
}

const NOTHING_YET = Buffer.from('{}')

/** Files come in forms; everything else is JSON, whatever its sender calls it. */
function askOf({ request }: Call, { operation, defaults }: CallEntrance, bytes: Buffer): Ask {
  const { 'content-type': contentType = '' } = request.headers
  // Edits of pictures are the one call that comes in both.
  const isForm = takesForm(operation) && (operation !== 'image-edits' || !/json/i.test(contentType))
  return isForm
    ? readFormAsk({ operation, bytes, contentType, defaults })
    : readAsk(operation, bytes, defaults)
}

async function ofSession(call: Call, ports: AdmitPorts): Promise<Caller> {
  const { userId } = await ports.identifySession(call.request)
  const owner = ports.books.keyring.owner(userId)
  if (owner === undefined) throw problem('user_banned')
  checkOwner(owner)
  return { owner, token: undefined, pinned: undefined, address: ports.clientAddress(call.request) }
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

/** The playground's own field; an upstream would not know it. */
function withoutGroup(operation: CallOperation, ask: Ask): Ask {
  if (!Object.hasOwn(ask.body, 'group')) return ask
  return readAsk(operation, spliceTopLevel(ask.bytes, { set: {}, remove: ['group'], members: ask.members }))
}

function refuseExtensions({ request }: Call): void {
  const origin = request.headers.origin ?? ''
  if (origin.includes('extension') && origin.includes('://')) throw problem('browser_extension_blocked')
}
