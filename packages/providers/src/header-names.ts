import { names } from './define/define-provider.ts'

/** Headers that are determined by the connection or by the outgoing body. */
const FRAMING = new Set(
  names(`
  host connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer
  transfer-encoding upgrade content-length accept-encoding expect
`),
)
/** Headers that authenticate the client, at the gateway or elsewhere. */
const CREDENTIALS = new Set(
  names(`
  authorization authentication cookie cookie2 set-cookie api-key apikey api-token x-api-key
  x-apikey x-api-token x-auth-key x-auth-token x-access-token x-csrf-token x-xsrf-token
  x-goog-api-key x-goog-iam-authorization-token x-amz-security-token x-dashscope-apikey
  mj-api-secret ocp-apim-subscription-key x-ms-client-principal
`),
)
/**
 * The header with the id of a signed-in user, as new-api, its forks and Tollgate name it: `new-api-user`,
 * `tollgate-user`.
 */
const USER = /^(?:[a-z]+-)*user(?:-id)?$/
/**
 * Headers that identify the client's accounts elsewhere, or describe the network path to the gateway. They
 * are passed to an upstream only if the operator lists them by name.
 */
const UNNAMED = new Set(
  names(`
  openai-organization openai-project forwarded via origin referer x-goog-user-project x-real-ip
  x-client-ip x-cluster-client-ip x-appengine-user-ip true-client-ip client-ip fastly-client-ip
  fly-client-ip
`),
)
const UNNAMED_KINDS = ['x-forwarded-', 'x-original-', 'x-envoy-', 'x-amzn-', 'cf-', 'sec-', 'proxy-', 'cdn-']
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/

/** Headers that describe the body. The gateway sets them itself, so a client cannot override them. */
const OURS = new Set(['content-type', 'content-encoding', 'accept', 'content-md5'])

/** Whether an operator may set a header. Here and below, names are in lower case. */
export function maySet(name: string): boolean {
  return NAME.test(name) && !FRAMING.has(name)
}

/** Whether a header describes the body. */
export function describesBody(name: string): boolean {
  return OURS.has(name)
}

/**
 * Whether a client's header may be passed on at all. Headers that authenticate the client or belong to its
 * connection may not.
 */
export function mayPass(name: string): boolean {
  const proves = CREDENTIALS.has(name) || USER.test(name)
  return !FRAMING.has(name) && !proves && !name.startsWith('sec-websocket-')
}

/** Whether a header may be passed on by a rule that does not list it by name. */
export function mayPassByPattern(name: string): boolean {
  return mayPass(name) && !UNNAMED.has(name) && !UNNAMED_KINDS.some((kind) => name.startsWith(kind))
}
