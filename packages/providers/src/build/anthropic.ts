import { readAnthropicUsage } from '@tollgate/dialects/anthropic/usage'
import type { HeaderWriter, Endpoint } from '../provider.ts'
import { at } from './url.ts'

/** The version of the dialect this was written for. https://docs.anthropic.com/en/api/versioning */
const VERSION = '2023-06-01'

export type MessagesEndpoint = Partial<Omit<Endpoint, 'dialect'>> & { readonly path?: string }

/** Anthropic's Messages. */
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

/** What callers of the dialect say in headers: which version they speak, and which betas they want. */
export const versionHeaders: HeaderWriter = (_upstream, { callerHeaders = {} }) => {
  const beta = callerHeaders['anthropic-beta']
  return {
    'anthropic-version': callerHeaders['anthropic-version'] ?? VERSION,
    ...(beta !== undefined && { 'anthropic-beta': beta }),
  }
}

/** As the vendor itself wants its key. */
export const anthropicKey: HeaderWriter = (upstream, outgoing) => ({
  'x-api-key': upstream.key,
  ...versionHeaders(upstream, outgoing),
})

/** As others who speak the dialect want theirs. */
export const anthropicBearer: HeaderWriter = (upstream, outgoing) => ({
  authorization: `Bearer ${upstream.key}`,
  ...versionHeaders(upstream, outgoing),
})
