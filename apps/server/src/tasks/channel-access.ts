import { proxyAddress } from '@tollgate/egress/proxies'
import { Problem, problem } from '@tollgate/kit/problem'
import type { TokenCache } from '@tollgate/providers/sign/token-cache'
import type { RosterChannel } from '../snapshots/snapshots.ts'

/** What a channel is shown: one of its keys, and what that was exchanged for where its vendor wants a token. */
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
 * Asks with a token that other requests share. One that the vendor will have nothing of is not used again, and another
 * one is tried at once: nothing came of the first. Rejects with `channel_key_invalid`, `channel_key_refused` or
 * `channel_token_missing` when nothing was asked at all.
 */
export async function withAccess<Answer>(
  { channel, keyIndex, ask, statusOf }: AccessAsk<Answer>,
  { accessTokens }: AccessPorts,
): Promise<Answer> {
  const key = channel.keys[keyIndex] ?? ''
  const { tokens } = channel.provider
  if (tokens === undefined) return ask({ key })
  const holder = { key, proxy: proxyAddress(channel.setting['proxy']) }
  const fresh = () => accessTokens.tokenFor(tokens, holder).catch(withoutToken)
  const accessToken = await fresh()
  const answer = await ask({ key, accessToken })
  if (statusOf(answer) !== REFUSED) return answer
  accessTokens.forget(key, accessToken)
  return ask({ key, accessToken: await fresh() })
}

/** However the exchange broke off, the channel has heard nothing. */
function withoutToken(error: unknown): never {
  if (!(error instanceof Problem) || error.code.startsWith('channel_key_')) throw error
  throw problem('channel_token_missing', {}, { cause: error })
}
