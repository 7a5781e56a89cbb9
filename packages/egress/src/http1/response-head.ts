import type { IncomingHttpHeaders } from 'node:http'
import { headerName } from './header-name.ts'
import { invalidResponse } from './invalid-response.ts'

/** How the end of a response's body is found, https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
export type Framing =
  | { readonly type: 'length'; readonly bytes: number }
  | { readonly type: 'chunked' }
  | { readonly type: 'until-close' }

export interface ResponseHead {
  readonly status: number
  readonly statusText: string
  /** By name in lower case; the values of a repeated header are a list. */
  readonly headers: IncomingHttpHeaders
  readonly framing: Framing
  readonly isKeptAlive: boolean
  /** How long the server keeps an idle connection, if it says so: `keep-alive: timeout=5`. */
  readonly keepAliveMs: number | undefined
}

/** A status line up to its code; `d` stands for a digit. */
const STATUS_FORM = 'HTTP/1.d ddd'
const VERSION_AT = 'HTTP/1.'.length
/** What no head has: a forbidden character, or half a line end. */
const FORBIDDEN = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n|$)|(?<!\r)\n/g
const STATUS_LINE = /^HTTP\/1\.[01] \d{3}(?: |$)/
const REASON_AT = 'HTTP/1.1 200 '.length
/** Lines of visible characters, spaces and tabs of Latin-1 that end with CRLF. */
const LINES = /^[\t\x20-\x7e\x80-\xff]*(?:\r\n[\t\x20-\x7e\x80-\xff]*)*$/
const LENGTH = /^\d{1,15}$/
const NO_BODY: Framing = { type: 'length', bytes: 0 }
const CHUNKED: Framing = { type: 'chunked' }
const UNTIL_CLOSE: Framing = { type: 'until-close' }

/**
 * Reads a status line and header fields, https://www.rfc-editor.org/rfc/rfc9112#section-4, without the empty line
 * after them. Refuses what two programs could understand differently: if they saw different ends of a response, the
 * bytes between would become the answer to another request. Throws `HTTPParserError`.
 */
export function readHead(text: string): ResponseHead {
  if (!LINES.test(text)) throw invalidResponse('a forbidden character', 'INVALID_HEADER_TOKEN')
  const firstEnd = lineEnd(text, 0)
  const line = text.slice(0, firstEnd)
  if (!STATUS_LINE.test(line)) throw invalidResponse('its status line', 'INVALID_CONSTANT')
  const status = Number(line.slice('HTTP/1.1 '.length, REASON_AT))
  const fields = readFields(text, firstEnd + 2)
  return {
    status,
    statusText: line.slice(REASON_AT),
    headers: fields,
    framing: framingOf(fields, status),
    isKeptAlive: isKeptAlive(fields['connection'], line.startsWith('HTTP/1.1')),
    keepAliveMs: keepAliveOf(fields['keep-alive']),
  }
}

/**
 * Judges a head that has not arrived whole, so that a server that speaks another protocol fails at once and not when
 * its time is over. What stands before `from` was judged already. Throws `HTTPParserError`.
 */
export function checkBeginning(text: string, from: number): void {
  for (let at = from; at < Math.min(text.length, STATUS_FORM.length + 1); at++)
    if (!isInStatusLine(text, at)) throw invalidResponse('its status line', 'INVALID_CONSTANT')
  FORBIDDEN.lastIndex = Math.max(0, from - 1)
  if (FORBIDDEN.test(text)) throw invalidResponse('a forbidden character', 'INVALID_HEADER_TOKEN')
}

function isInStatusLine(text: string, at: number): boolean {
  const character = text[at] ?? ''
  if (at === STATUS_FORM.length) return character === ' ' || character === '\r'
  if (at === VERSION_AT) return character === '0' || character === '1'
  const expected = STATUS_FORM[at]
  return expected === 'd' ? character >= '0' && character <= '9' : character === expected
}

type Fields = Record<string, string | string[]>

function readFields(text: string, from: number): Fields {
  const fields: Fields = {}
  for (let at = from; at < text.length;) {
    const end = lineEnd(text, at)
    const colon = text.indexOf(':', at)
    const name = colon === -1 || colon >= end ? undefined : headerName(text.slice(at, colon))
    if (name === undefined) throw invalidResponse('the name of a header', 'INVALID_HEADER_TOKEN')
    addTo(fields, name, text.slice(colon + 1, end).trim())
    at = end + 2
  }
  return fields
}

function addTo(fields: Fields, name: string, value: string): void {
  if (name === '__proto__') throw invalidResponse('the name of a header', 'INVALID_HEADER_TOKEN')
  const before = fields[name]
  if (before === undefined || !Object.hasOwn(fields, name)) fields[name] = value
  else if (typeof before === 'string') fields[name] = [before, value]
  else before.push(value)
}

function framingOf(fields: Fields, status: number): Framing {
  const encoding = fields['transfer-encoding']
  const length = fields['content-length']
  if (encoding !== undefined && length !== undefined)
    throw invalidResponse('a length beside a transfer encoding', 'UNEXPECTED_CONTENT_LENGTH')
  if (length !== undefined && !(typeof length === 'string' && LENGTH.test(length)))
    throw invalidResponse('its length', 'INVALID_CONTENT_LENGTH')
  const isChunked = encoding !== undefined && /^chunked$/i.test(String(encoding))
  if (!isChunked && /chunked/i.test(String(encoding)))
    throw invalidResponse('its transfer encoding', 'INVALID_TRANSFER_ENCODING')
  if (status < 200 || status === 204 || status === 304) return NO_BODY
  if (isChunked) return CHUNKED
  return length === undefined ? UNTIL_CLOSE : { type: 'length', bytes: Number(length) }
}

function isKeptAlive(connection: string | string[] | undefined, isVersion11: boolean): boolean {
  if (connection === undefined) return isVersion11
  const options = String(connection)
  return !/\bclose\b/i.test(options) && (isVersion11 || /\bkeep-alive\b/i.test(options))
}

function keepAliveOf(hint: string | string[] | undefined): number | undefined {
  const seconds = hint === undefined ? undefined : /\btimeout=(\d{1,6})\b/i.exec(String(hint))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\r\n', from)
  return end === -1 ? text.length : end
}
