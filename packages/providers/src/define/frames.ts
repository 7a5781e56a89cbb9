import type { Frame } from '@tollgate/dialects/canonical/codec'
import { EventStreamReader, type EventStreamFrame } from '@tollgate/dialects/framing/event-stream'
import { NdjsonReader } from '@tollgate/dialects/framing/ndjson'
import { parseObject, textAt } from '@tollgate/dialects/json'
import { Problem } from '@tollgate/problems/problem'
import type { Frames } from '@tollgate/dialects/canonical/frames'
import { ownValue } from '@tollgate/kit/own-value'

const FRAME_BYTES_MAX = 32 * 1024 * 1024

/** Reads one JSON value per line. */
export function ndjsonFrames(): Frames {
  return lineFrames((line) => [{ event: undefined, data: line }])
}

/** Reads frames line by line; `atEnd` returns those that are still missing after the last line. */
export function lineFrames(
  read: (line: string) => readonly Frame[],
  atEnd = (): readonly Frame[] => [],
): Frames {
  const lines = new NdjsonReader({ lineBytesMax: FRAME_BYTES_MAX })
  const each = (line: Buffer) => read(line.toString())
  return guarded({
    push: (chunk) => lines.push(chunk).flatMap(each),
    end: () => [...lines.end().flatMap(each), ...atEnd()],
  })
}

/** A malformed frame ends the stream with an upstream error; later frames are ignored. */
function guarded(frames: Frames): Frames {
  let isBroken = false
  const unlessBroken = (read: () => readonly Frame[]): readonly Frame[] => {
    if (isBroken) return []
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      isBroken = true
      return [errorFrame({ type: 'api_error', code: 502, message: error.textIn('en') })]
    }
  }
  return {
    push: (chunk) => unlessBroken(() => frames.push(chunk)),
    end: () => unlessBroken(() => frames.end()),
  }
}

function errorFrame(error: object): Frame {
  return { event: 'error', data: JSON.stringify({ type: 'error', error }) }
}

/** Reads an AWS event stream: each frame carries an event in the model's own format, or an exception. */
export function bedrockFrames(): Frames {
  const reader = new EventStreamReader({ frameBytesMax: FRAME_BYTES_MAX })
  return guarded({ push: (chunk) => reader.push(chunk).map(eventFrame), end: () => [] })
}

/** The HTTP status that corresponds to each exception type. */
const statuses: Readonly<Record<string, { readonly type: string; readonly status: number }>> = {
  throttlingException: { type: 'rate_limit_error', status: 429 },
  validationException: { type: 'invalid_request_error', status: 400 },
  modelTimeoutException: { type: 'timeout_error', status: 504 },
  serviceUnavailableException: { type: 'overloaded_error', status: 503 },
}

function eventFrame({ headers, payload }: EventStreamFrame): Frame {
  const exception = headers.get(':exception-type') ?? headers.get(':error-code')
  const body = parseObject(payload) ?? {}
  if (exception === undefined) {
    const bytes = textAt(body, 'bytes')
    return {
      event: headers.get(':event-type'),
      data: bytes === undefined ? payload.toString() : decoded(bytes),
    }
  }
  const known = ownValue(statuses, exception)
  const message = textAt(body, 'message') ?? headers.get(':error-message') ?? exception
  return errorFrame({ type: known?.type ?? 'api_error', code: known?.status ?? 502, message })
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}
