import { problem } from '@tollgate/kit/problem'
import type { Seal } from '@tollgate/kit/seal'
import {
  type ChannelSecretColumn,
  type ChannelSecrets,
  decryptChannelSecrets,
} from '@tollgate/store/channel-secrets'
import { type ChannelRow, findChannel } from '@tollgate/store/channels'
import type { ChannelServices } from './services.ts'

/** A channel with its secret texts in clear; its keys stay encrypted. */
export interface StoredChannel extends Omit<ChannelRow, ChannelSecretColumn> {
  readonly secrets: ChannelSecrets
}

export async function storedChannel(
  { store, seal }: Pick<ChannelServices, 'store' | 'seal'>,
  id: number,
): Promise<StoredChannel> {
  const row = await findChannel(store, id)
  if (!row) throw problem('not_found')
  return openChannel(row, seal)
}

export function openChannel(row: ChannelRow, seal: Pick<Seal, 'open'>): StoredChannel {
  const { header_override: _headers, param_override: _override, setting: _setting, ...rest } = row
  return { ...rest, secrets: decryptChannelSecrets(row, seal) }
}
