import { parseObject, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'

/** A frame of a vendor, as far as its connection needs it. */
export type VendorFrame =
  | { readonly type: 'event' }
  /** The last event of a response. `id` is undefined when the response cannot be continued. */
  | { readonly type: 'last'; readonly id: string | undefined }
  | { readonly type: 'error'; readonly error: FrameError }
  /** Not part of a response, for example figures of the operator's account; it is not passed on. */
  | { readonly type: 'other' }

export interface FrameError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly details: JsonObject
  readonly code: string | undefined
}

/** Vendors write `type` as the first member, and the frames of a running text need not be parsed. */
const TYPE = /^\s*\{\s*"type"\s*:\s*"([\w.]{1,100})"/
const TYPE_BYTES_MAX = 200
const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Reads a text frame; `undefined` for one that is no JSON object with a `type`. */
export function readVendorFrame(message: Buffer): VendorFrame | undefined {
  const beginning = message.toString('latin1', 0, TYPE_BYTES_MAX)
  const quick = TYPE.exec(beginning)?.[1]
  if (quick?.startsWith('response.') === true && !LAST.has(quick)) return { type: 'event' }
  const frame = parseObject(message)
  const type = frame && textAt(frame, 'type')
  if (frame === undefined || type === undefined) return undefined
  if (type === 'error') return { type: 'error', error: errorIn(frame) }
  if (!type.startsWith('response.')) return { type: 'other' }
  if (!LAST.has(type)) return { type: 'event' }
  const id = textAt(recordAt(frame, 'response') ?? {}, 'id')
  return { type: 'last', id: type === 'response.failed' ? undefined : id }
}

/** The details are in `error`, or beside the type. */
function errorIn(frame: JsonObject): FrameError {
  const { type: _type, status: _status, ...beside } = frame
  const details = recordAt(frame, 'error') ?? beside
  const code = textAt(details, 'code')
  const status = [frame['status'], frame['status_code']].find(isErrorStatus) ?? statusOf(details, code)
  return { status, headers: headersIn(recordAt(frame, 'headers') ?? {}), details, code }
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599
}

/** For a frame that names no status. */
function statusOf(details: JsonObject, code: string | undefined): number {
  const words = [code, textAt(details, 'type')]
  if (words.some((word) => word !== undefined && /rate_limit|usage_limit|quota/.test(word))) return 429
  return words.includes('invalid_request_error') || code === PREVIOUS_NOT_FOUND ? 400 : 502
}

/** The vendor no longer knows the response that the call continues. */
export const PREVIOUS_NOT_FOUND = 'previous_response_not_found'
/** The vendor ends connections after an hour. */
export const CONNECTION_LIMIT = 'websocket_connection_limit_reached'

const HEADERS_MAX = 32
const HEADER_CHARACTERS_MAX = 256

function headersIn(headers: JsonObject): Readonly<Record<string, string>> {
  const kept = Object.entries(headers)
    .slice(0, HEADERS_MAX)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => [name.toLowerCase(), String(value).slice(0, HEADER_CHARACTERS_MAX)] as const)
  return Object.fromEntries(kept)
}

const DATA = Buffer.from('data: ')
const END = Buffer.from('\n\n')
const LF = 0x0a
const CR = 0x0d

/** A frame as a server-sent event. Line breaks in JSON are white space. */
export function asEvent(message: Buffer): Buffer {
  const event = Buffer.concat([DATA, message, END])
  const last = DATA.length + message.length
  for (const lineBreak of [LF, CR])
    for (let at = event.indexOf(lineBreak); at >= 0 && at < last; at = event.indexOf(lineBreak, at))
      event[at] = 0x20
  return event
}

/** An error in the middle of a response, as the event that a vendor sends over HTTP. */
export function errorEvent({ details }: FrameError): Buffer {
  const { code = null, message = '', param = null } = details
  return asEvent(Buffer.from(JSON.stringify({ type: 'error', code, message, param })))
}
