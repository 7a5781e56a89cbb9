import { chargeUnits } from '@tollgate/billing/charge'
import { askOf, limitsOf, readScanned, scanAsk } from '@tollgate/dialects/ask'
import { withDroppableBody } from '@tollgate/dialects/droppable-body'
import type { Ask } from '@tollgate/dialects/dialect'
import { parseInSlices } from '@tollgate/dialects/json-slices'
import { readFormAsk } from '@tollgate/dialects/media/read-form-ask'
import { noUsage } from '@tollgate/dialects/usage'
import { problem } from '@tollgate/problems/problem'
import { chooseMemberPolicy } from '../../../snapshots/member-policy.ts'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import type { WordFilter } from '../../../snapshots/word-filter.ts'
import type { App } from '../../app.ts'
import type { Call } from '../../call.ts'
import type { CallRoute } from '../../relay-route.ts'
import type { BodyFacts } from '../../threads/body-messages.ts'
import type { LargeBody } from '../../threads/body-reader.ts'
import { readBody, type BodyGate } from './body.ts'
import { UNCHECKED_BYTES } from './body-budget.ts'
import { releaseBuffer } from './body-bytes.ts'
import { bodyGate } from './body-gate.ts'
import type { Caller } from './caller.ts'
import { groupsOf } from './group.ts'
import { textsOfCall } from './texts-of-call.ts'
import { refuseWord, refuseWords, wordSearch } from './words.ts'

/**
 * Bodies with more bytes or more values are read in a worker thread, because parsing them takes more than 5
 * ms.
 */
const LARGE_BYTES = 1024 * 1024
const LARGE_VALUES = 50_000

export type ReadCallApp = Pick<App, 'limits' | 'snapshots' | 'bodies' | 'bodyReader' | 'ledger' | 'log'>

export interface CallToRead {
  readonly call: Call
  readonly relayRoute: Pick<CallRoute, 'operation' | 'defaults'>
  readonly caller: Caller
  readonly settings: RelaySettings
}

/** The balance the caller can pay with; known only for bodies large enough that the gate checked it. */
interface Paying {
  balance: bigint | undefined
}

/** Reads the body of a call, within the memory budget and as far as the caller's balance allows. */
export async function readCall(input: CallToRead, app: ReadCallApp): Promise<Ask> {
  const { call, relayRoute } = input
  if (call.socket !== undefined) return sessionAsk(input)
  const paying: Paying = { balance: undefined }
  const lease = app.bodies.lease(input.caller.owner.id)
  call.lease = lease
  const gate: BodyGate = (sofar) => (opened ??= openGate(input, app, paying))(sofar)
  let opened: BodyGate | undefined
  const bytes = await readBody(call.request, { bytesMax: app.limits.bodyBytesMax, lease, gate })
  const form = formType(input)
  const policy = chooseMemberPolicy(relayRoute.operation.wire, input.caller.owner, input.settings)
  if (form !== undefined)
    return searched(readFormAsk({ ...form, defaults: relayRoute.defaults, bytes, policy }), input, app)
  if (bytes.length > LARGE_BYTES) return readLarge(bytes, input, app, paying)
  const scan = scanAsk(relayRoute.operation.wire, bytes)
  if (scan.values > LARGE_VALUES) return readLarge(bytes, input, app, paying)
  const ask = readScanned(relayRoute.operation.wire, scan, { bytes, defaults: relayRoute.defaults, policy })
  return searched(bytes.length > UNCHECKED_BYTES ? droppable(ask, input, false) : ask, input, app)
}

/** A realtime session has no request body; its requests come later, in frames. */
function sessionAsk({ relayRoute: { operation, defaults } }: CallToRead): Ask {
  const bytes = Buffer.from('{}')
  return askOf(operation.wire, {}, { bytes, members: [], defaults })
}

/** Operations with files take forms; every other body is read as JSON, whatever its `content-type`. */
function formType({ call: { request }, relayRoute }: CallToRead) {
  const { form } = relayRoute.operation
  if (form === undefined) return undefined
  const { 'content-type': contentType = '' } = request.headers
  return form.orJson && /json/i.test(contentType) ? undefined : { operation: form.wire, contentType }
}

/**
 * A worker thread checks and counts a large body before it is parsed here, and the call is refused when its
 * input alone costs more than the balance.
 */
async function readLarge(
  bytes: Buffer,
  input: CallToRead,
  app: ReadCallApp,
  { balance }: Paying,
): Promise<Ask> {
  const { caller, relayRoute, settings } = input
  const use = relayRoute.operation.wire
  const policy = chooseMemberPolicy(use, caller.owner, settings)
  const body = { userId: caller.owner.id, use, defaults: relayRoute.defaults, policy }
  const { refusedWords } = settings
  const words = refusedWords?.hasPatterns === false ? refusedWords.lines : undefined
  const read = await app.bodyReader.read({ ...body, bytes }, words)
  try {
    if (refusedWords !== undefined) refuseWord(read.facts.word, wordSearch(refusedWords, input, app))
    if (balance !== undefined) refuseUnpayable(read.facts, balance, input, app)
  } catch (error) {
    releaseBuffer(read.bytes)
    throw error
  }
  const left =
    refusedWords?.hasPatterns !== true
      ? read.bytes
      : await searchedBytes({ ...body, bytes: read.bytes }, refusedWords, input, app)
  const { members, counted, names } = read.facts
  const parsed = { bytes: left, members, names, defaults: relayRoute.defaults }
  const ask = askOf(relayRoute.operation.wire, await parseInSlices(left), parsed)
  return droppable({ ...ask, counted }, input, true)
}

/**
 * Allows the parsed request to be dropped and re-parsed from its bytes. Only for conversations, because the
 * responses of other operations are written with the whole request at hand.
 */
function droppable(ask: Ask, { relayRoute: { operation } }: CallToRead, isLarge: boolean): Ask {
  return operation.isConversation ? withDroppableBody(ask, isLarge) : ask
}

/**
 * Refuses a call whose input alone, in the cheapest group, costs more than the balance; no hold would be
 * smaller.
 */
function refuseUnpayable(
  { model, counted }: BodyFacts,
  balance: bigint,
  input: CallToRead,
  app: ReadCallApp,
): void {
  const { owner } = input.caller
  const usage = { ...noUsage, inputText: counted.textTokens + counted.mediaTokens }
  const costs = groupsIn(input, app).flatMap((group) => {
    const name = app.snapshots.roster().candidates(group, model).model
    const question = {
      model: name,
      group,
      acceptsUnpriced: owner.acceptsUnpricedModels,
      ownGroup: owner.group,
    }
    const price = app.snapshots.prices().find(question)
    return price === undefined ? [] : [chargeUnits(price, usage)]
  })
  const needed = costs.reduce<bigint | undefined>(
    (least, cost) => (least === undefined || cost < least ? cost : least),
    undefined,
  )
  if (needed !== undefined && needed > balance)
    throw problem('insufficient_user_quota', { remaining: balance, needed })
}

function openGate(input: CallToRead, app: ReadCallApp, paying: Paying): BodyGate {
  const { call, caller, relayRoute } = input
  const { lease } = call
  if (lease === undefined) throw new Error('a body is read on a lease')
  return bodyGate({
    caller,
    lease,
    ledger: app.ledger,
    snapshots: app.snapshots,
    groups: groupsIn(input, app),
    limits: limitsOf(relayRoute.operation.wire),
    pathModel: relayRoute.operation.isModelInPath ? relayRoute.defaults.pathModel : undefined,
    isForm: formType(input) !== undefined,
    onBalance: (balance) => {
      paying.balance = balance
    },
  })
}

/** A playground request names its group in the body; until that is read, the user's own group is assumed. */
function groupsIn({ caller: { owner, token }, settings }: CallToRead, app: ReadCallApp): readonly string[] {
  return token === undefined
    ? [owner.group]
    : groupsOf({ owner, token }, app.snapshots.prices(), settings.autoGroups)
}

function searched(ask: Ask, input: CallToRead, app: ReadCallApp): Ask | Promise<Ask> {
  const { relayRoute, settings } = input
  const { refusedWords } = settings
  if (refusedWords === undefined || (ask.form === undefined && !refusedWords.mayBeIn(ask.bytes))) return ask
  const searching = refuseWords(
    textsOfCall(relayRoute.operation.wire, ask),
    wordSearch(refusedWords, input, app),
  )
  return searching === undefined ? ask : searching.then(() => ask)
}

/**
 * Searches a large body for refused words. The bytes are moved to the worker thread and returned when no word
 * was found.
 */
async function searchedBytes(
  body: LargeBody,
  filter: WordFilter,
  input: CallToRead,
  app: ReadCallApp,
): Promise<Buffer> {
  const { word, bytes } = await app.bodyReader.findWordInBody(filter.lines, body)
  refuseWord(word, wordSearch(filter, input, app))
  return bytes
}
