import process from 'node:process'
import type { LongStrings } from '@tollgate/dialects/aside/long-strings'
import type { StreamTap } from '@tollgate/dialects/stream/stream-tap'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import { PieceWriter } from '../../answers/piece-writer.ts'
import type { Call } from '../../call.ts'
import { errorHead, openHead, soundHead, streamHead, wholeHead, withVendorHeaders } from './head.ts'

/**
 * The caller's side of a stream: head, frames, comments, end. Writing after the caller has hung up does
 * nothing.
 */

/**
 * Frames written within one turn of the event loop are sent together: an upstream often sends many at once,
 * and a separate write costs more than all other work on a frame. Returns false when the caller reads too
 * slowly and the upstream should be paused.
 */
export function writeFrames(call: Call, frames: readonly Buffer[]): boolean {
  if (call.isGone || frames.length === 0) return true
  openStream(call)
  if (call.unsent.length === 0) process.nextTick(sendUnsent, call)
  call.unsent.push(...frames)
  return !isBehind(call)
}

/** Whether the caller reads more slowly than the upstream writes. */
export function isBehind({ response, pieces }: Call): boolean {
  return response.writableNeedDrain || pieces?.isBusy === true
}

/** Calls back when a caller who was behind has caught up. */
export function onTaken({ response, pieces }: Call, act: () => void): void {
  if (pieces?.isBusy === true) pieces.whenTaken(act)
  else response.once('drain', act)
}

/** Sends the frames collected in this turn of the event loop. `onSent`: called once they have left. */
function sendUnsent(call: Call, onSent?: () => void): void {
  const { unsent, response } = call
  const [first] = unsent
  if (first === undefined || call.isGone) return whenSent(call, onSent)
  call.unsent = []
  if (call.pieces?.isBusy === true || isMuch(unsent)) {
    call.pieces ??= new PieceWriter(response)
    call.pieces.push(unsent)
    return whenSent(call, onSent)
  }
  response.write(unsent.length === 1 ? first : Buffer.concat(unsent), onSent)
}

function whenSent({ pieces }: Call, onSent?: () => void): void {
  if (onSent === undefined) return
  if (pieces === undefined) onSent()
  else pieces.whenTaken(onSent)
}

/** More than this is neither joined nor given to the socket at once. */
const AT_ONCE_BYTES_MAX = 1024 * 1024

function isMuch(buffers: readonly Buffer[]): boolean {
  let bytes = 0
  for (const { length } of buffers) bytes += length
  return bytes > AT_ONCE_BYTES_MAX
}

/** From this interval on, the first keep-alive of a stream waits longer than the others. */
const PATIENT_INTERVAL_MS = 15_000
const FIRST_MS = 30_000

/**
 * The interval of a stream. The first keep-alive fixes head and status, so it waits for thirty seconds: most
 * failures come before. An operator who sets a shorter interval than the usual one has a proxy that cuts earlier.
 */
export function keepAliveIntervalMs(
  call: Call,
  { pingIntervalMs }: Pick<RelaySettings, 'pingIntervalMs'>,
): number | undefined {
  if (pingIntervalMs === undefined || call.response.headersSent) return pingIntervalMs
  return pingIntervalMs < PATIENT_INTERVAL_MS ? pingIntervalMs : Math.max(FIRST_MS, pingIntervalMs)
}

export interface KeepAliveInput {
  readonly now: number
  /** `undefined`: the operator has switched keep-alive off. */
  readonly intervalMs: number | undefined
  /** The tap of a stream that has begun. */
  readonly tap?: StreamTap
}

/**
 * Sends a comment or ping when nothing was written for a while, so that the connection stays in use; also
 * before the first frame. Callers whose clients fail on it get none. It never stands inside an event.
 */
export function keepAliveEvery(call: Call, { now, intervalMs, tap }: KeepAliveInput): void {
  const { keepAlive } = call.dialect
  if (intervalMs === undefined || keepAlive === undefined || now - call.wroteAt < intervalMs) return
  const endOfEvent = tap?.endEvent === undefined ? [] : tap.endEvent()
  if (endOfEvent === undefined) return
  call.wroteAt = now
  writeFrames(call, [...endOfEvent, keepAlive])
}

/**
 * Writes the head of a sound response. The upstream's content type is kept only if it is an audio type or an
 * event stream.
 */
export function openSound(call: Call, type = ''): void {
  if (call.isGone || call.response.headersSent) return
  const isKnown = /^(?:audio\/[\w.+-]{1,64}|text\/event-stream)(?:;[\w .=/+-]{0,128})?$/i.test(type)
  call.response.writeHead(200, soundHead(call, isKnown ? type : 'application/octet-stream'))
}

export function endStream(call: Call, frames: readonly Buffer[]): void {
  writeFrames(call, frames)
  sendUnsent(call)
  whenSent(call, () => {
    if (!call.isGone) call.response.end()
  })
}

/** Time for a client to read an error before its connection ends. */
const READ_MS = 250
/** Time in which a slow client must have taken the error. */
const TAKEN_MS = 10_000

/**
 * Ends a stream with an error, so that half an answer never looks like a whole one: many libraries skip error
 * events, but none takes a connection that breaks for an end. A WebSocket connection stays open.
 */
export function abortStream(call: Call, frames: readonly Buffer[]): void {
  if (call.connection !== undefined) return endStream(call, frames)
  writeFrames(call, frames)
  const limit = setTimeout(abortConnection, TAKEN_MS, call)
  sendUnsent(call, () => {
    clearTimeout(limit)
    setTimeout(abortConnection, READ_MS, call)
  })
}

/**
 * Ends the connection without the last chunk. A client of HTTP/1.0 gets no chunks and takes a closed connection
 * for the end, so its connection is reset.
 */
export function abortConnection({ request, response, isGone }: Call): void {
  if (isGone) return
  if (request.httpVersion === '1.0') request.socket.resetAndDestroy()
  else response.destroy()
}

/** Ends a response that passed in pieces and not in frames. */
export function endBytes(call: Call, bytes: Buffer): void {
  if (!call.isGone) call.response.end(bytes)
}

export interface WholeAnswer {
  readonly status: number
  readonly type: string
  readonly body: Buffer
  /** What is put back into the body when it is sent. */
  readonly strings?: Pick<LongStrings, 'restore' | 'bytes'> | undefined
  /** When the caller may retry, for an error. */
  readonly retryAfterMs?: number | undefined
  /** By default derived from the status; some task platforms report errors with status 200. */
  readonly isError?: boolean
}

/** Writes the head of a response of this many bytes, or of unknown length, whose body follows in pieces. */
export function openWhole(
  call: Call,
  { status, type, bytes }: { readonly status: number; readonly type: string; readonly bytes: number },
): void {
  if (call.isGone || call.response.headersSent) return
  const head = Number.isSafeInteger(bytes) ? wholeHead(call, { type, bytes }) : openHead(call, type)
  call.response.writeHead(status, withVendorHeaders(head, call))
}

export function writeWhole(call: Call, answer: WholeAnswer): void {
  if (call.isGone) return
  const { status, type, body, strings, retryAfterMs, isError = status >= 400 } = answer
  const pieces = strings?.restore(body)
  const bytes = pieces === undefined ? body.length : pieces.reduce((sum, { length }) => sum + length, 0)
  const head = withVendorHeaders(wholeHead(call, { type, bytes }), call)
  if (isError) head.push(...errorHead)
  if (retryAfterMs !== undefined) head.push('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  call.response.writeHead(status, head)
  if (pieces !== undefined || bytes > AT_ONCE_BYTES_MAX) endInPieces(call, pieces ?? [body])
  else if (body.length > TOGETHER_BYTES_MAX) call.response.end(body)
  // Sent as latin1 text of the same bytes, so that body and head leave in one write.
  else call.response.end(body.toString('latin1'), 'latin1')
}

const TOGETHER_BYTES_MAX = 8 * 1024

function endInPieces(call: Call, pieces: readonly Buffer[]): void {
  call.pieces = new PieceWriter(call.response)
  call.pieces.push(pieces)
  call.pieces.whenTaken(() => {
    if (!call.isGone) call.response.end()
  })
}

function openStream(call: Call): void {
  if (!call.response.headersSent) call.response.writeHead(200, streamHead(call))
}
