import { proxyAddress } from '@tollgate/egress/proxies'
import { Problem, problem } from '@tollgate/problems/problem'
import type { TokenCache } from '@tollgate/providers/sign/token-cache'
import type { RosterChannel } from '../snapshots/snapshots.ts'

/**
 * The credential for a channel: one of its keys, and the access token if the vendor exchanges keys for
 * tokens.
 */
export interface Access {
  readonly key: string
  readonly accessToken?: string
}

export interface AccessPorts {
  readonly accessTokens: Pick<TokenCache, 'tokenFor' | 'forget'>
}

export interface AccessAsk<Answer> {
  readonly channel: RosterChannel
  readonly keyIndex: number
  readonly ask: (access: Access) => Promise<Answer>
  readonly statusOf: (answer: Answer) => number
}

const REFUSED = 401

/**
 * Makes a request with the shared access token. A token that the vendor refuses is removed from the cache and
 * the request is repeated at once with a new one, which is safe because the first was refused. Rejects with
 * `channel_key_invalid`, `channel_key_refused` or `channel_token_missing` when no request was made.
 */
export async function withAccess<Answer>(
  { channel, keyIndex, ask, statusOf }: AccessAsk<Answer>,
  { accessTokens }: AccessPorts,
): Promise<Answer> {
  const key = channel.keys[keyIndex] ?? ''
  const { tokens } = channel.provider
  if (tokens === undefined) return ask({ key })
  const holder = { key, proxy: proxyAddress(channel.settings.proxy) }
  const fresh = () => accessTokens.tokenFor(tokens, holder).catch(withoutToken)
  const accessToken = await fresh()
  const answer = await ask({ key, accessToken })
  if (statusOf(answer) !== REFUSED) return answer
  accessTokens.forget(key, accessToken)
  return ask({ key, accessToken: await fresh() })
}

/** However the token exchange failed, nothing was sent to the channel. */
function withoutToken(error: unknown): never {
  if (!(error instanceof Problem) || error.code.startsWith('channel_key_')) throw error
  throw problem('channel_token_missing', {}, { cause: error })
}
