import type { Call } from '../call.ts'
import { streamHead, wholeHead } from './head.ts'

/** The caller's end of a stream: head, frames, comments, end. Writing to a caller who left does nothing. */

/** Answers false when the caller should be given time to read. */
export function writeFrames(call: Call, frames: readonly Buffer[]): boolean {
  if (call.isGone || frames.length === 0) return true
  openStream(call)
  let isFlowing = true
  for (const frame of frames) isFlowing = call.response.write(frame)
  return isFlowing
}

/** A comment keeps the connection in use without saying anything; also before the first frame. */
export function keepAliveEvery(call: Call, when: { now: number; intervalMs: number | undefined }): void {
  const { now, intervalMs } = when
  if (intervalMs === undefined || now - call.wroteAt < intervalMs) return
  call.wroteAt = now
  writeFrames(call, [call.dialect.keepAlive])
}

export function endStream(call: Call, frames: readonly Buffer[]): void {
  writeFrames(call, frames)
  if (!call.isGone) call.response.end()
}

export function writeWhole(call: Call, answer: { status: number; type: string; body: Buffer }): void {
  if (call.isGone) return
  const { status, type, body } = answer
  call.response.writeHead(status, wholeHead(call, { type, bytes: body.length }))
  if (body.length > TOGETHER_BYTES_MAX) call.response.end(body)
  // As text of the same bytes it leaves in one piece with its head.
  else call.response.end(body.toString('latin1'), 'latin1')
}

const TOGETHER_BYTES_MAX = 8 * 1024

function openStream(call: Call): void {
  if (!call.response.headersSent) call.response.writeHead(200, streamHead(call))
}
