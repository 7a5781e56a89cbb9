import type { Channel } from '@tollgate/contract/channel'

/** The value of the form: lists are arrays, everything else is as the contract defines it. */
export interface ChannelFormValue {
  readonly type: number
  readonly name: string
  /** "" keeps the stored key when editing. */
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly organization: string
  readonly models: readonly string[]
  readonly groups: readonly string[]
  readonly modelMapping: string
  readonly modelPrefix: string
  readonly testModel: string
  readonly tag: string
  readonly remark: string
  readonly priority: number
  readonly weight: number
  readonly isAutoBan: boolean
  readonly statusMapping: string
  readonly parameterOverride: string
  readonly headerOverride: string
  readonly setting: string
}

export const OPENAI_TYPE = 1

export const newChannelValue: ChannelFormValue = {
  type: OPENAI_TYPE,
  name: '',
  key: '',
  baseUrl: '',
  other: '',
  organization: '',
  models: [],
  groups: ['default'],
  modelMapping: '',
  modelPrefix: '',
  testModel: '',
  tag: '',
  remark: '',
  priority: 0,
  weight: 0,
  isAutoBan: true,
  statusMapping: '',
  parameterOverride: '',
  headerOverride: '',
  setting: '',
}

export function formValueOf(channel: Channel): ChannelFormValue {
  return {
    type: channel.type,
    name: channel.name,
    key: '',
    baseUrl: channel.base_url,
    other: channel.other,
    organization: channel.openai_organization,
    models: listOf(channel.models),
    groups: listOf(channel.group),
    modelMapping: channel.model_mapping,
    modelPrefix: channel.model_prefix,
    testModel: channel.test_model,
    tag: channel.tag,
    remark: channel.remark,
    priority: channel.priority,
    weight: channel.weight,
    isAutoBan: channel.auto_ban === 1,
    statusMapping: channel.status_code_mapping,
    parameterOverride: channel.param_override,
    headerOverride: channel.header_override,
    setting: channel.setting,
  }
}

/**
 * The body of a create or update call. Pasted keys may be separated by lines or commas; they are sent one per
 * line.
 */
export function bodyOf(value: ChannelFormValue) {
  return {
    type: value.type,
    name: value.name.trim(),
    key: keysOf(value.key).join('\n'),
    base_url: withoutTrailingSlash(value.baseUrl.trim()),
    other: value.other.trim(),
    openai_organization: value.organization.trim(),
    models: value.models.join(','),
    group: value.groups.join(','),
    model_mapping: value.modelMapping.trim(),
    model_prefix: value.modelPrefix.trim(),
    test_model: value.testModel,
    tag: value.tag.trim(),
    remark: value.remark.trim(),
    priority: value.priority,
    weight: value.weight,
    auto_ban: value.isAutoBan ? 1 : 0,
    status_code_mapping: value.statusMapping.trim(),
    param_override: value.parameterOverride.trim(),
    header_override: value.headerOverride.trim(),
    setting: value.setting.trim(),
  }
}

/** Fields that stand under "Routing and overrides", folded away at first. */
const FOLDED: ReadonlySet<string> = new Set<keyof ChannelFormValue>([
  'modelMapping',
  'modelPrefix',
  'testModel',
  'tag',
  'remark',
  'statusMapping',
  'headerOverride',
  'parameterOverride',
  'setting',
])

export function isFoldedField(name: string): boolean {
  return FOLDED.has(name)
}

export function listOf(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}

/** A text that begins with `{` is one key, even if it contains commas. */
export function keysOf(text: string): string[] {
  if (text.trim().startsWith('{')) return [text.trim()]
  return text
    .split(/[\n,，]/)
    .map((key) => key.trim())
    .filter((key) => key !== '')
}

/** Whether fewer keys were entered than are stored, so that some would be lost. */
export function replacesKeys({ key }: Pick<ChannelFormValue, 'key'>, storedCount: number): boolean {
  const count = keysOf(key).length
  return count > 0 && count < storedCount
}

/**
 * A base URL that ends in `/v1` is almost always a mistake, because the gateway appends a path that begins
 * with `/v1`.
 */
export function endsInVersion(baseUrl: string): boolean {
  return /\/v1\/*$/.test(baseUrl.trim())
}

/** The name of the first member of a JSON object whose value is an empty text. */
export function emptyMember(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const members: [string, unknown][] = Object.entries(JSON.parse(text))
  return members.find(([, value]) => typeof value === 'string' && value.trim() === '')?.[0]
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
