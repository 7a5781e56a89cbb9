import type { CHANNEL_KEY_MODES } from '@tollgate/contract/channel-fields'
import { problem } from '@tollgate/kit/problem'
import type { Provider } from '@tollgate/providers/provider'
import { readKeys } from './keys.ts'

export interface SentKeys {
  /** As typed. */
  readonly text: string
  readonly mode: (typeof CHANNEL_KEY_MODES)[number] | undefined
  readonly storedCount: number
  /** The stored keys, one a line. */
  readonly openStored: () => string
}

/**
 * The keys a channel has after an update, one a line. The form of an old console shows one empty field for a channel of
 * several keys; the one that is typed there would remove all of them, so fewer keys need a word about what they do.
 */
export function keysAfter(
  { text, mode, storedCount, openStored }: SentKeys,
  provider: Provider | undefined,
): string {
  const sent = readKeys(text, provider)
  if (mode === 'append') return readKeys(`${openStored()}\n${sent}`, undefined)
  const sentCount = sent.split('\n').length
  if (mode === undefined && sentCount < storedCount)
    throw problem('channel_key_mode_needed', { stored: storedCount, sent: sentCount })
  return sent
}
