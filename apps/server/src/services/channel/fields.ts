import { CHANNEL_NAME_CHARACTERS_MAX, type ChannelFields } from '@tollgate/contract/channel-fields'
import { problem } from '@tollgate/problems/problem'
import { isAddressForModels } from '@tollgate/providers/define/url'
import type { Provider } from '@tollgate/providers/provider'
import type { ChannelChange } from '@tollgate/store/channels/channels'
import { splitList } from '../comma-list.ts'
import {
  readByModel,
  readHeaders,
  readModelMapping,
  readOverride,
  readSetting,
  readStatusMapping,
} from './json-fields.ts'

const MODELS_MAX = 5000
const MODEL_BYTES_MAX = 255
const GROUP_CHARACTERS_MAX = 64
const CONTROL = /\p{Cc}/u
/**
 * For this type the channel's address is the complete URL including the query; for the others a path is
 * appended.
 */
const WHOLE_ADDRESS_TYPE = 8

/** The parts of a provider that the fields of its channels depend on. */
type Kind = Pick<Provider, 'type' | 'other'>

/** Validates every writable field except key, type and status; a missing field stays unchanged. */
export function readFields(fields: ChannelFields, kind: Kind): ChannelChange {
  return {
    ...readTexts(fields, kind),
    ...readJson(fields),
    ...(fields.priority !== undefined && { priority: fields.priority ?? 0 }),
    ...(fields.weight !== undefined && { weight: fields.weight ?? 0 }),
    ...(fields.auto_ban !== undefined && { auto_ban: fields.auto_ban === 0 ? 0 : 1 }),
  }
}

function readTexts(fields: ChannelFields, { type, other }: Kind): ChannelChange {
  return {
    ...(fields.name && { name: readName(fields.name) }),
    ...(fields.models && { models: readModels(fields.models) }),
    ...(fields.group && { group_names: readGroups(fields.group) }),
    ...(fields.base_url !== undefined && { base_url: readBaseUrl(fields.base_url ?? '', type) }),
    ...(fields.other !== undefined && { other: readOther(fields.other, other) }),
    ...(fields.model_prefix !== undefined && { model_prefix: readLine('model_prefix', fields.model_prefix) }),
    ...(fields.test_model !== undefined && { test_model: readLine('test_model', fields.test_model) }),
    ...(fields.tag !== undefined && { tag: readLine('tag', fields.tag) }),
    ...(fields.remark !== undefined && { remark: fields.remark?.trim() ?? '' }),
    ...(fields.openai_organization !== undefined && {
      openai_organization: readLine('openai_organization', fields.openai_organization),
    }),
  }
}

function readJson(fields: ChannelFields): ChannelChange {
  const { model_mapping: models, status_code_mapping: statuses } = fields
  return {
    ...(models !== undefined && { model_mapping: readModelMapping(models) }),
    ...(statuses !== undefined && { status_code_mapping: readStatusMapping(statuses) }),
    ...(fields.setting !== undefined && { setting: readSetting(fields.setting) }),
    ...(fields.header_override !== undefined && {
      header_override: readHeaders(fields.header_override),
    }),
    ...(fields.param_override !== undefined && {
      param_override: readOverride(fields.param_override),
    }),
  }
}

export function readName(text: string): string {
  const name = text.trim()
  if (name === '') throw problem('channel_name_missing')
  if (name.length > CHANNEL_NAME_CHARACTERS_MAX)
    throw problem('channel_name_too_long', { max: CHANNEL_NAME_CHARACTERS_MAX })
  return name
}

/** Returns the list without duplicates. */
export function readModels(text: string): string {
  const models = splitList(text)
  if (models.length === 0) throw problem('channel_models_missing')
  if (models.length > MODELS_MAX) throw problem('channel_models_too_many', { max: MODELS_MAX })
  const tooLong = models.find((model) => Buffer.byteLength(model) > MODEL_BYTES_MAX)
  if (tooLong !== undefined) throw problem('channel_model_too_long', { model: tooLong.slice(0, 100) })
  return models.join(',')
}

export function readGroups(text: string): string {
  const groups = splitList(text)
  const invalid = groups.find((group) => group.length > GROUP_CHARACTERS_MAX || CONTROL.test(group))
  if (invalid !== undefined) throw problem('channel_group_invalid', { group: invalid.slice(0, 64) })
  return groups.join(',')
}

/** Removes the trailing slash, because paths are appended. */
function readBaseUrl(text: string, type: number): string {
  const address = text.trim().replace(/\/+$/, '')
  if (address === '') return ''
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.hash === ''
  if (!isPlain || !isAddressForModels(address) || (url.search !== '' && type !== WHOLE_ADDRESS_TYPE))
    throw problem('channel_base_url_invalid')
  return address
}

/** Reads the provider's extra field: its usual value when empty, or a JSON object with a text per model. */
function readOther(text: string | null, field: Kind['other']): string {
  const other = text?.trim() ?? ''
  if (other === '') return field?.usual ?? ''
  return field?.isByModel === true && other.startsWith('{') ? readByModel(other) : other
}

/** A name that appears in comma-separated lists and headers, so it may not contain line breaks. */
function readLine(field: string, text: string | null): string {
  const line = text?.trim() ?? ''
  if (CONTROL.test(line) || line.includes(',')) throw problem('channel_text_invalid', { field })
  return line
}

/** The channel type must be known and have an address. */
export function requireProvider(provider: Provider | undefined, type: number): Provider {
  if (!provider) throw problem('channel_type_unknown', { type })
  return provider
}

export function requireBaseUrl(provider: Provider | undefined, baseUrl: string): void {
  const isMissing = baseUrl === '' && provider !== undefined && provider.baseUrl === undefined
  if (isMissing) throw problem('channel_base_url_needed', { type: provider.label })
}
