import type { Channel } from '@tollgate/contract/channel'
import type { ChannelChange, ChannelRow } from '@tollgate/store/channels'
import { wireQuota } from '../wire-quota.ts'

/** A stored channel as the family's wire shape has it, without its key. */
export function toWireChannel(row: ChannelRow): Channel {
  return {
    id: row.id,
    type: row.type,
    key: '',
    key_preview: row.key_preview,
    key_count: keyCount(row.key_preview),
    openai_organization: row.openai_organization,
    test_model: row.test_model,
    status: row.status,
    name: row.name,
    weight: row.weight,
    priority: row.priority,
    created_time: row.created_time,
    test_time: row.test_time,
    response_time: row.response_time,
    base_url: row.base_url,
    other: row.other,
    balance: row.balance,
    balance_currency: row.balance_currency,
    balance_updated_time: row.balance_updated_time,
    models: row.models,
    group: row.group_names,
    used_quota: wireQuota(row.used ?? 0n),
    model_mapping: row.model_mapping,
    status_code_mapping: row.status_code_mapping,
    auto_ban: row.auto_ban,
    other_info: row.other_info,
    tag: row.tag,
    setting: row.setting,
    param_override: row.param_override,
    header_override: row.header_override,
    model_prefix: row.model_prefix,
    version: row.version,
  }
}

/** The preview tells how many keys there are beyond the one it shows. */
function keyCount(preview: string): number {
  return preview === '' ? 0 : 1 + Number(/ \+(\d+)$/.exec(preview)?.[1] ?? 0)
}

/** An override may carry a credential, and so may the address of a proxy in `setting`: the audit trail names them only. */
const UNTOLD = new Set(['key_sealed', 'param_override', 'header_override', 'setting'])

/** What the audit trail keeps of a change: names and values, secrets by name. */
export function auditable(change: ChannelChange): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, UNTOLD.has(name) ? '(changed)' : value]),
  )
}
