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
/** They prove who the caller is, to us or to somebody else. */
const CREDENTIALS = new Set([
  'authorization',
  'authentication',
  'cookie',
  'cookie2',
  'set-cookie',
  'api-key',
  'apikey',
  'api-token',
  'x-api-key',
  'x-apikey',
  'x-api-token',
  'x-auth-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-goog-api-key',
  'x-goog-iam-authorization-token',
  'x-amz-security-token',
  'x-dashscope-apikey',
  'mj-api-secret',
  'ocp-apim-subscription-key',
  'x-ms-client-principal',
])
/** The header with the id of a signed-in user, as each gateway of the family calls it: `new-api-user`, `tollgate-user`. */
const USER = /^(?:[a-z]+-)*user(?:-id)?$/
/**
 * They name the caller's accounts elsewhere, or tell of the way to us. An upstream sees them only where the operator
 * names them one by one.
 */
const UNNAMED = new Set([
  'openai-organization',
  'openai-project',
  'forwarded',
  'via',
  'origin',
  'referer',
  'x-goog-user-project',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-appengine-user-ip',
  'true-client-ip',
  'client-ip',
  'fastly-client-ip',
  'fly-client-ip',
])
const UNNAMED_KINDS = ['x-forwarded-', 'x-original-', 'x-envoy-', 'x-amzn-', 'cf-', 'sec-', 'proxy-', 'cdn-']
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
  const proves = CREDENTIALS.has(name) || USER.test(name)
  return !FRAMING.has(name) && !proves && !name.startsWith('sec-websocket-')
}

/** Whether it may go on by a rule for many headers at once. */
export function mayPassUnnamed(name: string): boolean {
  return mayPass(name) && !UNNAMED.has(name) && !UNNAMED_KINDS.some((kind) => name.startsWith(kind))
}
