import type { CHANNEL_KEY_MODES } from '@tollgate/contract/channel-fields'
import { problem } from '@tollgate/problems/problem'
import type { Provider } from '@tollgate/providers/provider'
import { readKeys } from './keys.ts'

export interface SentKeys {
  /** As typed by the operator. */
  readonly text: string
  readonly mode: (typeof CHANNEL_KEY_MODES)[number] | undefined
  readonly storedCount: number
  /** Decrypts the stored keys, one per line. */
  readonly openStored: () => string
}

/**
 * Returns a channel's keys after an update, one per line. The edit form of a console written for new-api
 * shows one empty field for a channel with several keys, and a key typed there would replace all of them.
 * Therefore an update that leaves fewer keys must state its mode.
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
