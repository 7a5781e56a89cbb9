import type { Seal } from '@tollgate/kit/seal'
import type { Provider } from '@tollgate/providers/provider'
import type { ChannelBookRow } from '@tollgate/store/books-reads'
import { channelKeyContext } from '@tollgate/store/channels'
import type { RosterChannel } from './books.ts'
import { jsonMembers, jsonObject } from './json-object.ts'
import { modelMapping } from './model-mapping.ts'

/** One channel as the relay uses it. Throws when its key cannot be opened. */
export function rosterChannel(row: ChannelBookRow, provider: Provider, seal: Seal): RosterChannel {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    provider,
    status: row.status,
    priority: row.priority,
    weight: row.weight,
    baseUrl: (row.base_url || provider.baseUrl || '').replace(/\/+$/, ''),
    keys: seal.open(row.key_sealed, channelKeyContext(row.id)).split('\n'),
    other: row.other,
    organization: row.openai_organization,
    createdTime: row.created_time,
    groups: elements(row.group_names),
    models: elements(row.models),
    modelPrefix: row.model_prefix,
    modelMapping: modelMapping(row.model_mapping),
    statusMapping: statusMapping(row.status_code_mapping),
    parameterOverride: parameterOverride(row.param_override),
    setting: jsonObject(row.setting),
    isAutoBan: row.auto_ban === 1,
    testModel: row.test_model,
  }
}

function elements(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim())
  return [...new Set(names)].filter((name) => name !== '')
}

/** Only error statuses have a meaning here; a failure never becomes a success. */
export function statusMapping(text: string): ReadonlyMap<number, number> {
  const pairs = jsonMembers(text).map(([from, to]) => [Number(from), Number(to)] as const)
  return new Map(pairs.filter(([from, to]) => isStatus(from) && to >= 400 && isStatus(to)))
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599
}

/** Whether an answer is streamed is the caller's to say: another answer than asked for could not be delivered. */
function parameterOverride(text: string): Readonly<Record<string, unknown>> | undefined {
  const members = jsonMembers(text).filter(([name]) => name !== 'stream')
  return members.length === 0 ? undefined : Object.fromEntries(members)
}
