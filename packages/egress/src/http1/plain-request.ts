import type { Dispatcher } from 'undici'
import { headerName } from './header-name.ts'

/** A request with its body in memory, whose sender watches the time and leaves the connection to the client. */
export interface PlainRequest {
  /** Request line and header fields with the empty line after them, in Latin-1. */
  readonly head: string
  readonly body: Buffer | undefined
}

/** They concern the connection, or the way in which a body is sent. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST'])
const TARGET = /^\/[\x21-\x7e]*$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Writes the head of a request, https://www.rfc-editor.org/rfc/rfc9112#section-3. Returns `undefined` for every other
 * request and for one that must not be sent, such as one with a line break in a header.
 */
export function plainRequest(options: Dispatcher.DispatchOptions, host: string): PlainRequest | undefined {
  const { method, path, headers, body = null } = options
  if (!METHODS.has(method) || !TARGET.test(path) || options.query !== undefined) return undefined
  if (options.headersTimeout !== 0 || options.bodyTimeout !== 0 || options.upgrade !== undefined)
    return undefined
  if (!(body === null || Buffer.isBuffer(body))) return undefined
  if (method === 'GET' && body !== null) return undefined
  const length = method === 'GET' ? undefined : String(body?.length ?? 0)
  const fields = fieldsOf(headers ?? {}, length)
  if (fields === undefined) return undefined
  const ownFields = `host: ${host}\r\nconnection: keep-alive\r\n`
  return { head: `${method} ${path} HTTP/1.1\r\n${ownFields}${fields}\r\n`, body: body ?? undefined }
}

type GivenHeaders = NonNullable<Dispatcher.DispatchOptions['headers']>

function fieldsOf(headers: GivenHeaders, length: string | undefined): string | undefined {
  if (Symbol.iterator in headers) return undefined
  let fields = length === undefined ? '' : `content-length: ${length}\r\n`
  for (const written in headers) {
    const name = headerName(written)
    const value = headers[written]
    if (name === undefined || CONNECTION_HEADERS.has(name)) return undefined
    if (typeof value !== 'string' || !VALUE.test(value)) return undefined
    if (name !== 'content-length') fields += `${written}: ${value}\r\n`
    else if (value !== length) return undefined
  }
  return fields
}
