import { CHANNEL_STATUS, type channelRoutes } from '@tollgate/contract/channel'
import { type ChannelSecrets, encryptChannelSecrets } from '@tollgate/store/channel-secrets'
import { type NewChannel, channelKeyContext, insertChannel } from '@tollgate/store/channels'
import type { z } from 'zod'
import type { Handler } from '../handler.ts'
import { readFields, readModels, readName, requireBaseUrl, requireProvider } from './fields.ts'
import { previewKeys, readKeys } from './keys.ts'
import { noSecrets, withStoredSecrets } from './secrets/masked-secrets.ts'
import { type ChannelServices, providerOf } from './services.ts'
import { auditable } from './wire.ts'

export function createChannel(services: ChannelServices): Handler<typeof channelRoutes.create> {
  const { store, seal, notices, audit } = services
  return async ({ actor, body, address }) => {
    const { channel, key, secrets } = readNewChannel(services, body)
    const id = await insertChannel(store, channel, (newId) => ({
      key_sealed: seal.seal(key, channelKeyContext(newId)),
      ...encryptChannelSecrets(secrets, { id: newId, seal }),
    }))
    await audit.write({
      actorId: actor.id,
      action: 'create',
      entity: 'channel',
      entityId: id,
      after: auditable({ ...channel, ...secrets }),
      address,
    })
    await notices.publish('channels')
    return { id }
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
  group_names: DEFAULT_GROUP,
}

type Body = z.output<typeof channelRoutes.create.body>

interface ReadChannel {
  readonly channel: NewChannel
  /** In clear, as the secrets are. */
  readonly key: string
  readonly secrets: ChannelSecrets
}

/** Everything is checked before anything is written. */
function readNewChannel(services: ChannelServices, body: Body): ReadChannel {
  const name = readName(body.name ?? '')
  const provider = requireProvider(providerOf(services, body.type), body.type)
  const key = readKeys(body.key ?? '', provider)
  const models = readModels(body.models ?? '')
  const sent = withStoredSecrets({ other: null, ...body }, noSecrets)
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
