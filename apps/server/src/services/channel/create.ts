import type { channelRoutes } from '@tollgate/contract/channel'
import { CHANNEL_BATCH_MAX, type channelCreateSchema } from '@tollgate/contract/channel-fields'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/problems/problem'
import { type ChannelSecrets, encryptChannelSecrets } from '@tollgate/store/channels/secrets'
import {
  type ChannelInsert,
  type NewChannel,
  channelKeyContext,
  insertChannel,
  insertChannels,
} from '@tollgate/store/channels/channels'
import type { z } from 'zod'
import type { Handler } from '../handler.ts'
import { readFields, readModels, readName, requireBaseUrl, requireProvider } from './fields.ts'
import { previewKey, previewKeys, readKeys } from './keys.ts'
import { noSecrets, withStoredSecrets } from './secrets/masked-secrets.ts'
import { withSecondSettings } from './second-settings.ts'
import { type ChannelServices, providerOf } from './services.ts'
import { auditable } from './wire.ts'
import { storedChannel } from './stored-channel.ts'

export function createChannel(services: ChannelServices): Handler<typeof channelRoutes.create> {
  return async (call) => {
    const [first, ...others] = bodiesOf(services, call.body).map((one) => readNewChannel(services, one))
    invariant(first, 'a body is at least one channel')
    const inserts = [first, ...others].map((read) => insertOf(services, read))
    const after = auditable({ ...first.channel, ...first.secrets })
    const ids = await services.change(call, {
      action: 'create',
      entity: 'channel',
      work: (transaction) => insertChannels(transaction, inserts),
      row: ([id = 0, ...more]) => ({
        ...(more.length === 0
          ? { entityId: id, after }
          : { entityId: 'several', after: { ...after, channels: inserts.length } }),
        notice: 'channels',
      }),
    })
    const [id = 0] = ids
    return { id, ids: others.length > 0 ? ids : undefined }
  }
}

type Body = z.output<typeof channelRoutes.create.body>
type ChannelBody = z.output<typeof channelCreateSchema>

/** The channels to create: in batch mode one for each key, in the order of the keys. */
function bodiesOf(services: ChannelServices, { channel, mode, ...body }: Body): readonly ChannelBody[] {
  const one = channel ?? { ...body, type: body.type ?? 0 }
  if (!channel || mode !== 'batch') return [one]
  const keys = readKeys(one.key ?? '', providerOf(services, one.type)).split('\n')
  if (keys.length > CHANNEL_BATCH_MAX) throw problem('channel_keys_too_many', { max: CHANNEL_BATCH_MAX })
  const isNamedByKey = body.batch_add_set_key_prefix_2_name === true
  return keys.map((key) => ({
    ...one,
    key,
    ...(isNamedByKey && { name: `${one.name ?? ''} ${previewKey(key)}` }),
  }))
}

function insertOf({ cipher }: ChannelServices, { channel, key, secrets }: ReadChannel): ChannelInsert {
  return {
    channel,
    encrypt: (id) => ({
      key_sealed: cipher.encrypt(key, channelKeyContext(id)),
      ...encryptChannelSecrets(secrets, { id, cipher }),
    }),
  }
}

const DEFAULT_GROUP = 'default'
const NO_TEXTS = {
  base_url: '',
  other: '',
  model_mapping: '',
  status_code_mapping: '',
  model_prefix: '',
  openai_organization: '',
  test_model: '',
  tag: '',
  remark: '',
  group_names: DEFAULT_GROUP,
}

interface ReadChannel {
  readonly channel: NewChannel
  /** In clear, like the secrets. */
  readonly key: string
  readonly secrets: ChannelSecrets
}

/** Validates everything before anything is written. */
function readNewChannel(services: ChannelServices, body: ChannelBody): ReadChannel {
  const name = readName(body.name ?? '')
  const provider = requireProvider(providerOf(services, body.type), body.type)
  const key = readKeys(body.key ?? '', provider)
  const models = readModels(body.models ?? '')
  const sent = withSecondSettings(withStoredSecrets({ other: null, ...body }, noSecrets), '')
  const {
    header_override: headers,
    param_override: override,
    setting,
    ...fields
  } = { ...NO_TEXTS, ...noSecrets, ...readFields(sent, provider) }
  requireBaseUrl(provider, fields.base_url)
  const channel = {
    priority: 0,
    weight: 0,
    auto_ban: 1,
    ...fields,
    group_names: fields.group_names === '' ? DEFAULT_GROUP : fields.group_names,
    name,
    models,
    type: body.type,
    key_preview: previewKeys(key),
    status: body.status === CHANNEL_STATUS.disabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled,
    created_time: Math.floor(services.clock.nowMs() / 1000),
  } as const
  return { channel, key, secrets: { header_override: headers, param_override: override, setting } }
}

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
