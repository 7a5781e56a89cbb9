import { problem } from '@tollgate/problems/problem'
import type { Cipher } from '@tollgate/kit/cipher'
import {
  type ChannelSecretColumn,
  type ChannelSecrets,
  decryptChannelSecrets,
} from '@tollgate/store/channels/secrets'
import { type ChannelRow, findChannel } from '@tollgate/store/channels/channels'
import type { ChannelServices } from './services.ts'

/** A channel with its secret fields decrypted; its keys stay encrypted. */
export interface StoredChannel extends Omit<ChannelRow, ChannelSecretColumn> {
  readonly secrets: ChannelSecrets
}

export async function storedChannel(
  { store, cipher }: Pick<ChannelServices, 'store' | 'cipher'>,
  id: number,
): Promise<StoredChannel> {
  const row = await findChannel(store, id)
  if (!row) throw problem('not_found')
  return openChannel(row, cipher)
}

export function openChannel(row: ChannelRow, cipher: Pick<Cipher, 'decrypt'>): StoredChannel {
  const { header_override: _headers, param_override: _override, setting: _setting, ...rest } = row
  return { ...rest, secrets: decryptChannelSecrets(row, cipher) }
}
