import { problem } from '@tollgate/problems/problem'
import type { CredentialRefresh, RefreshResult } from '../../../keys/credential-refresh.ts'
import type { Choice } from '../route/choice.ts'

/**
 * An attempt with an expiring credential: the credential is refreshed before the attempt if it has expired,
 * and after it if the upstream refused it.
 */
export interface TryWithKey<Outcome> {
  readonly run: (choice: Choice) => Promise<Outcome>
  /** Whether the upstream refused the key itself. */
  readonly isRefused: (outcome: Outcome) => boolean
  /**
   * The outcome when no working key is available. `isFinal` means that none will be until an operator signs
   * in again.
   */
  readonly withoutKey: (reason: { readonly message: string; readonly isFinal: boolean }) => Outcome
}

/** Makes at most two attempts, the second with a different key. */
export async function withFreshCredential<Outcome>(
  choice: Choice,
  { run, isRefused, withoutKey }: TryWithKey<Outcome>,
  renewals: Pick<CredentialRefresh, 'usable' | 'renew'>,
): Promise<Outcome> {
  const { channel, keyIndex } = choice
  const usable = await renewals.usable(channel, channel.keys[keyIndex] ?? '')
  if (usable.type !== 'renewed') return withoutKey(reasonOf(usable))
  const outcome = await run(withKey(choice, usable.key))
  if (!isRefused(outcome)) return outcome
  const renewed = await renewals.renew(channel, usable.key, 'refused')
  if (renewed.type === 'refused') return outcome
  return renewed.type === 'renewed' ? run(withKey(choice, renewed.key)) : withoutKey(reasonOf(renewed))
}

/** The Problem for the caller. Operators find the details in the note on the key. */
export function withoutKeyProblem({ isFinal }: { readonly isFinal: boolean }) {
  return problem(isFinal ? 'channel_key_refused' : 'channel_key_not_renewed')
}

function reasonOf(renewed: Exclude<RefreshResult, { type: 'renewed' }>) {
  if (renewed.type === 'gone') return { message: 'the key was replaced meanwhile', isFinal: false }
  return { message: renewed.message, isFinal: renewed.type === 'refused' }
}

function withKey(choice: Choice, key: string): Choice {
  const { channel, keyIndex } = choice
  if (channel.keys[keyIndex] === key) return choice
  return { ...choice, channel: { ...channel, keys: channel.keys.with(keyIndex, key) } }
}
