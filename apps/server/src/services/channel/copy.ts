import type { channelRoutes } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { encryptChannelSecrets } from '@tollgate/store/channels/secrets'
import { type NewChannel, channelKeyContext, insertChannel } from '@tollgate/store/channels/channels'
import type { Handler } from '../handler.ts'
import { readName } from './fields.ts'
import { storedChannel } from './stored-channel.ts'
import { type ChannelServices, providerOf } from './services.ts'

const SUFFIX = { en: '_copy', zh: '_复制' }
const NAME_CHARACTERS_KEPT = 90

/**
 * The copy includes the key, which never leaves the server, and is disabled, so that no call is routed to it
 * until an operator has looked at it. A key that is renewed automatically is not copied: the first renewal by
 * one channel would invalidate it for the other.
 */
export function copyChannel(services: ChannelServices): Handler<typeof channelRoutes.copy> {
  const { cipher, clock, change } = services
  return async (call) => {
    const { params, body, language } = call
    const { id: sourceId, key_sealed: sealed, secrets, ...row } = await storedChannel(services, params.id)
    const { used: _used, other_info: _info, balance: _balance, version: _version, ...rest } = row
    const { balance_updated_time: _updated, response_time: _response, test_time: _tested, ...untimed } = rest
    const { test_outcome: _outcome, test_status: _status, test_message: _message, ...named } = untimed
    const { tested_model: _model, ...kept } = named
    const staysThere = providerOf(services, row.type)?.renewal !== undefined
    const copy: NewChannel = {
      ...kept,
      ...(staysThere && { key_preview: '' }),
      name: readName(body.name ?? row.name.slice(0, NAME_CHARACTERS_KEPT) + SUFFIX[language]),
      status: CHANNEL_STATUS.disabled,
      created_time: Math.floor(clock.nowMs() / 1000),
    }
    const key = staysThere ? '' : cipher.decrypt(sealed, channelKeyContext(sourceId))
    const id = await change(call, {
      action: 'copy',
      entity: 'channel',
      work: (transaction) =>
        insertChannel(transaction, copy, (newId) => ({
          key_sealed: cipher.encrypt(key, channelKeyContext(newId)),
          ...encryptChannelSecrets(secrets, { id: newId, cipher }),
        })),
      row: (newId) => ({
        entityId: newId,
        after: { name: copy.name, source: sourceId },
        notice: 'channels',
      }),
    })
    return { id }
  }
}
