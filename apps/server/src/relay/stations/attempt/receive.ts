import { forwardedToCaller } from '@tollgate/dialects/canonical/headers'
import { readUpstreamRequestId } from '@tollgate/dialects/canonical/request-id-headers'
import { codecOf } from '@tollgate/dialects/conversations'
import { openTap } from '@tollgate/dialects/pair/open-tap'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import type { AttemptApp } from '../../app.ts'
import type { Call } from '../../call.ts'
import { ErrorSink } from '../deliver/error-sink.ts'
import { StreamMeter } from '../deliver/stream-meter.ts'
import { PictureSink, wantedPictures, type PictureForm } from '../deliver/picture-sink.ts'
import { SoundSink } from '../deliver/sound-sink.ts'
import { StreamSink } from '../deliver/stream-sink.ts'
import { createWholeSink } from '../deliver/passing-sink.ts'
import type { Route } from '../../outcome.ts'
import { ReasoningSink } from '../../reasoning/reasoning-sink.ts'
import { findReasoningOwner } from '../../reasoning/turn-reasoning.ts'
import { findSealAccount } from '../../seals/seal-account.ts'
import type { Held } from '../hold/held.ts'
import type { Choice } from '../route/choice.ts'
import type { Exchange, Sink, UpstreamHead } from './exchange.ts'
import { fetchMedia } from './fetch-media.ts'
import { pairRules } from './pair-rules.ts'
import { routeOf, type Prepared } from './prepare.ts'
import { verdictContext } from './verdict.ts'

interface Receiving {
  readonly held: Held
  readonly choice: Choice
  readonly prepared: Prepared
  readonly app: AttemptApp
}

/** Chooses the sink for a response from its status and headers. */
export function receiver(receiving: Receiving): (head: UpstreamHead, exchange: Exchange) => Sink {
  return (head, exchange) => {
    const { call } = receiving.held
    call.vendorHeaders = seenByCaller(receiving, head)
    call.upstreamRequestId = readUpstreamRequestId(head.headers)
    if (head.status >= 300) return errorSink(receiving, head, exchange)
    if (isSound(receiving, head)) return soundSink(receiving, head, exchange)
    const isStreamed = isStream(receiving, head)
    const sink = isStreamed ? streamSink(receiving, exchange) : wholeSink(receiving, head, exchange)
    return keepsReasoning(receiving) ? withReasoningKept(sink, receiving, isStreamed) : sink
  }
}

/** Reasoning is kept only where the vendor demands it back. */
function keepsReasoning({ choice, prepared }: Receiving): boolean {
  return prepared.demandsReasoning && choice.channel.settings.keepsReasoning
}

function withReasoningKept(sink: Sink, { held, app }: Receiving, isStreamed: boolean): Sink {
  const owner = findReasoningOwner(held.caller)
  const onTurn = (turn: string, reasoning: string) => app.turnReasoning.keep(owner, turn, reasoning)
  return new ReasoningSink({ sink, isStream: isStreamed, onTurn })
}

/**
 * Headers of the vendor's response that the caller may see; none when the response is converted to another
 * dialect.
 */
function seenByCaller(
  { held, prepared }: Receiving,
  { status, headers }: UpstreamHead,
): Call['vendorHeaders'] {
  if (prepared.operation !== held.operation.wire) return {}
  return forwardedToCaller(headers, { operation: held.operation.wire, status })
}

/**
 * Some upstreams omit the content type of a stream. JSON and HTML are never a stream, except JSON lines
 * (`x-ndjson`).
 */
function isStream({ held, prepared }: Receiving, { headers }: UpstreamHead): boolean {
  return held.ask.isStream && prepared.isStream && !/\bjson|html/i.test(headers['content-type'] ?? '')
}

/** A speech response is passed on as it arrives, unless it is JSON or HTML, which means an error. */
function isSound({ held }: Receiving, { headers }: UpstreamHead): boolean {
  return held.operation.sink === 'sound' && !/json|html/i.test(headers['content-type'] ?? '')
}

function soundSink(receiving: Receiving, head: UpstreamHead, exchange: Exchange): Sink {
  const { held, prepared, app } = receiving
  return new SoundSink({
    held,
    exchange,
    head,
    meter: meterOf(receiving),
    bytesMax: app.limits.answerBytesMax,
    readUsage: prepared.endpoint.readUsage,
    now: app.now,
    route: heardRoute(receiving),
  })
}

function errorSink({ held, choice, prepared, app }: Receiving, head: UpstreamHead, exchange: Exchange): Sink {
  return new ErrorSink({
    exchange,
    head,
    context: verdictContext(held, choice.channel, prepared.originalTools),
    bytesMax: app.limits.errorBytesMax,
    nowMs: app.clock.nowMs(),
    read: codecOf(prepared.operation, prepared.endpoint.codec)?.readError,
  })
}

function wholeSink(receiving: Receiving, head: UpstreamHead, exchange: Exchange): Sink {
  const { held, app } = receiving
  const rules = rulesOf(receiving)
  const wanted = held.operation.sink === 'pictures' ? wantedPictures(held.ask) : undefined
  const input = {
    held,
    exchange,
    meter: meterOf(receiving),
    rules,
    status: head.status,
    length: Number(head.headers['content-length'] ?? Number.NaN),
    bytesMax: app.limits.answerBytesMax,
    now: app.now,
    route: heardRoute(receiving),
  }
  const sinkFor = (itsRules: PairRules) => createWholeSink({ ...input, rules: itsRules })
  return wanted === undefined
    ? sinkFor(rules)
    : pictureSink(receiving, exchange, { ...input, wanted, sinkFor })
}

interface WantedPictures {
  readonly wanted: PictureForm
  readonly rules: PairRules
  readonly length: number
  readonly sinkFor: (rules: PairRules) => Sink
}

function pictureSink(
  receiving: Receiving,
  exchange: Exchange,
  { wanted, length, rules, sinkFor }: WantedPictures,
): Sink {
  const { held, app } = receiving
  const { answerBytesMax } = app.limits
  const { mediaEgress, log } = app
  return new PictureSink({
    wanted,
    rules,
    exchange,
    bytesMax: answerBytesMax,
    call: held.call,
    length,
    route: heardRoute(receiving),
    log,
    fetch: (addresses) => fetchMedia(held.call, addresses, { mediaEgress, mediaBytesMax: answerBytesMax }),
    handOn: sinkFor,
  })
}

function streamSink(receiving: Receiving, exchange: Exchange): Sink {
  const { held, app } = receiving
  return new StreamSink({
    held,
    exchange,
    tap: openTap(rulesOf(receiving)),
    meter: meterOf(receiving),
    now: app.now,
    route: heardRoute(receiving),
    tools: receiving.prepared.originalTools,
  })
}

function rulesOf({ held, choice, prepared, app }: Receiving): PairRules {
  const { id } = held.caller.owner
  const account = findSealAccount(choice.channel, choice.keyIndex)
  const rules: PairRules = {
    ...pairRules(held, choice.channel, prepared),
    onSeal: (seal) => app.sealBook.noteAccount(id, seal, account),
  }
  if (rules.endpoint !== 'generate' || rules.asked === 'generate') return rules
  return { ...rules, onSignedCall: (signed) => app.callSignatures.keep(id, signed) }
}

/** The route of a response, including the transcript recorder where texts are kept. */
function heardRoute({ held, choice, prepared, app }: Receiving): Route {
  const transcript = app.transcripts.listen(held)
  const route = routeOf(choice, prepared)
  return transcript === undefined ? route : { ...route, transcript }
}

function meterOf({ held, choice, prepared, app }: Receiving): StreamMeter {
  return new StreamMeter({
    held,
    channelId: choice.channel.id,
    serviceTier: prepared.serviceTier,
    ledger: app.ledger,
    onError: (error) =>
      app.log.warn({ error, requestId: held.call.id }, 'could not extend the hold or write its checkpoint'),
  })
}
