import { chargeUnits } from '@tollgate/billing/charge'
import { isTranscriptionHelper } from '@tollgate/catalogue/names/transcription-helpers'
import type { NamingMember } from '@tollgate/dialects/checked/findings'
import type { JudgedNames } from '@tollgate/dialects/checked/findings'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { readCallerFrame, type CallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import { noUsage } from '@tollgate/dialects/usage'
import { problem } from '@tollgate/problems/problem'
import { mapNames, listModels, readPath, replaceAt } from '../naming-values.ts'
import { upstreamModel } from '../upstream-model.ts'
import type { Route } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'

export interface FrameInput {
  readonly held: Held
  readonly route: Pick<Route, 'channel'>
}

/**
 * Judges the models that a frame names, and notes what was taken out. A transcription by a model that the caller
 * may not use is refused, because the session would go on without it. Every other name is taken out.
 */
export function judgeNaming(frame: CallerFrame, names: JudgedNames, input: FrameInput): CallerFrame {
  const { call } = input.held
  const taken = [...names.taken]
  let event = frame.event
  for (const { path } of names.naming) {
    const value = readPath(event, path)
    const next = isTranscription(path) ? transcriptionModel(value, path, input) : undefined
    if (next === undefined) taken.push(joinParam(path))
    if (next !== value) event = replaceAt(event, path, next)
  }
  if (taken.length > 0) call.taken = [...new Set([...call.taken, ...taken])]
  if (names.unknown.length > 0)
    call.unknownMembers = [...new Set([...call.unknownMembers, ...names.unknown])].slice(0, UNKNOWN_MAX)
  if (event === frame.event) return frame
  const changed = Object.entries(event).filter(([name, value]) => frame.event[name] !== value)
  const removed = Object.keys(frame.event).filter((name) => !(name in event))
  const bytes = spliceTopLevel(frame.bytes, { set: Object.fromEntries(changed), remove: removed })
  return readCallerFrame(bytes) ?? frame
}

/** A session may have any number of frames. */
const UNKNOWN_MAX = 64

type Path = NamingMember['path']

function isTranscription(path: Path): boolean {
  return String(path.at(-2)).endsWith('transcription')
}

function joinParam(path: Path): string {
  return path.filter((step) => typeof step === 'string').join('.')
}

/** The vendor's name of the model; throws a Problem where the caller may not use it. */
function transcriptionModel(value: unknown, path: Path, { held, route: { channel } }: FrameInput): unknown {
  const [name] = listModels(value)
  if (name === undefined) return value
  const { token, owner } = held.caller
  const isListed = token?.models === undefined || token.models.has(name)
  const price = held.prices.find({
    model: name,
    group: held.group,
    acceptsUnpriced: owner.acceptsUnpricedModels,
    ownGroup: owner.group,
  })
  const isCovered = price === undefined ? isTranscriptionHelper(name) : isNoDearer(price, held.price)
  const isAllowed = isListed && channel.settings.allowsOtherModels && isCovered
  if (!isAllowed)
    throw problem('model_of_member_refused', {
      param: joinParam(path),
      model: name.slice(0, NAME_CHARACTERS_MAX),
    })
  return mapNames(value, (model) => upstreamModel(channel, { asked: model, offered: model }) ?? model)
}

const NAME_CHARACTERS_MAX = 64

type Price = FrameInput['held']['price']

/** The transcript is charged at the price of the session, which must cover it. */
function isNoDearer(price: Price, session: Price): boolean {
  const usage = { ...noUsage, inputAudio: 1_000_000, outputText: 100_000 }
  return chargeUnits(price, usage) <= chargeUnits(session, usage)
}
