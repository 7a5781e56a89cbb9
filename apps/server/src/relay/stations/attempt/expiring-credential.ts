import { problem } from '@tollgate/problems/problem'
import type { CredentialRefresh, RefreshResult } from '../../../keys/credential-refresh.ts'
import type { Failed, Outcome } from '../../outcome.ts'
import type { Choice } from '../route/choice.ts'
import { verdictOfThrown } from './verdict.ts'

/**
 * Makes an attempt with an expiring credential: it is refreshed before the attempt if it has expired, and
 * after it if the upstream refused it. At most two attempts are made, the second with a different key.
 */
export async function withFreshCredential(
  choice: Choice,
  run: (choice: Choice) => Promise<Outcome>,
  renewals: Pick<CredentialRefresh, 'usable' | 'renew'>,
): Promise<Outcome> {
  const { channel, keyIndex } = choice
  const usable = await renewals.usable(channel, channel.keys[keyIndex] ?? '')
  if (usable.type !== 'renewed') return withoutKey(usable)
  const outcome = await run(withKey(choice, usable.key))
  if (outcome.type !== 'failed' || outcome.failure.evidence !== 'certain') return outcome
  const renewed = await renewals.renew(channel, usable.key, 'refused')
  if (renewed.type === 'refused') return outcome
  return renewed.type === 'renewed' ? run(withKey(choice, renewed.key)) : withoutKey(renewed)
}

/** No key works; if the refresh was refused, none will until an operator signs in again. */
function withoutKey(result: Exclude<RefreshResult, { type: 'renewed' }>): Failed {
  const isFinal = result.type === 'refused'
  const failure = verdictOfThrown(problem(isFinal ? 'channel_key_refused' : 'channel_key_not_renewed'))
  const detail = result.type === 'gone' ? 'the key was replaced meanwhile' : result.message
  return { type: 'failed', failure: { ...failure, detail, ...(isFinal && { evidence: 'certain' }) } }
}

function withKey(choice: Choice, key: string): Choice {
  const { channel, keyIndex } = choice
  if (channel.keys[keyIndex] === key) return choice
  return { ...choice, channel: { ...channel, keys: channel.keys.with(keyIndex, key) } }
}
