/** Decided by the connection, or by the body that goes out. */
const FRAMING = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'accept-encoding',
  'expect',
])
const CREDENTIALS = new Set(['authorization', 'cookie', 'x-api-key', 'x-goog-api-key', 'mj-api-secret'])
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/

/** What we say of the body is not the caller's to say. */
const OURS = new Set(['content-type', 'content-encoding', 'accept', 'content-md5'])

/** Whether an operator may say a header. Names here and below are in lower case. */
export function maySet(name: string): boolean {
  return NAME.test(name) && !FRAMING.has(name)
}

/** Whether it says how the body is to be read. */
export function isOfBody(name: string): boolean {
  return OURS.has(name)
}

/** Whether a caller's header may go on at all: never what proves who they are, nor what belongs to their connection. */
export function mayPass(name: string): boolean {
  return !FRAMING.has(name) && !CREDENTIALS.has(name) && !name.startsWith('sec-websocket-')
}
