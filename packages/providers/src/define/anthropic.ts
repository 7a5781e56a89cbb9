import { readAnthropicUsage } from '@tollgate/dialects/anthropic/usage'
import type { HeaderWriter, Endpoint, Outgoing } from '../provider.ts'
import { at } from './url.ts'

/** The API version this code was written for. https://docs.anthropic.com/en/api/versioning */
const VERSION = '2023-06-01'

export type MessagesEndpoint = Partial<Omit<Endpoint, 'dialect'>> & { readonly path?: string }

/** Declares an endpoint with the Anthropic Messages API. */
export function anthropicMessages({ path = '/v1/messages', ...rest }: MessagesEndpoint = {}): Endpoint {
  return {
    dialect: 'anthropic',
    url: at(path),
    quirks: [],
    readUsage: readAnthropicUsage,
    streamOptions: false,
    ...rest,
  }
}

/** Forwards the API version and the betas that the client set in headers. */
export const versionHeaders: HeaderWriter = (_upstream, outgoing) => ({
  'anthropic-version': outgoing.callerHeaders?.['anthropic-version'] ?? VERSION,
  ...writeBetaHeader(outgoing),
})

/** Forwards the betas alone, where the version stands in the body. */
export function writeBetaHeader({
  callerHeaders = {},
}: Pick<Outgoing, 'callerHeaders'>): Record<string, string> {
  const beta = callerHeaders['anthropic-beta']
  return beta === undefined ? {} : { 'anthropic-beta': beta }
}

/** Sends the key in `x-api-key`, as Anthropic itself requires. */
export const anthropicKey: HeaderWriter = (upstream, outgoing) => ({
  'x-api-key': upstream.key,
  ...versionHeaders(upstream, outgoing),
})

/** Sends the key as a bearer token, as other vendors with an Anthropic-compatible API require. */
export const anthropicBearer: HeaderWriter = (upstream, outgoing) => ({
  authorization: `Bearer ${upstream.key}`,
  ...versionHeaders(upstream, outgoing),
})
