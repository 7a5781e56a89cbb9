import type { Channel } from '@tollgate/contract/channel'
import { type ChannelSecrets, channelSecretColumns } from '@tollgate/store/channels/secrets'
import type { ChannelChange } from '@tollgate/store/channels/channels'
import { wireQuota } from '../wire-quota.ts'
import type { StoredChannel } from './stored-channel.ts'
import { maskedSecrets, maskedText } from './secrets/masked-secrets.ts'

/** A stored channel in new-api's response format, without its key and with its other secrets masked. */
export function toWireChannel(row: StoredChannel): Channel {
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
    test_outcome: row.test_outcome,
    test_status: row.test_status,
    test_message: row.test_message,
    tested_model: row.tested_model,
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
    remark: row.remark,
    ...maskedSecrets(row.secrets),
    model_prefix: row.model_prefix,
    version: row.version,
  }
}

/** The preview contains the number of keys beyond the one it shows: `sk-abc***wxyz +2`. */
export function keyCount(preview: string): number {
  return preview === '' ? 0 : 1 + Number(/ \+(\d+)$/.exec(preview)?.[1] ?? 0)
}

/**
 * Returns what the audit trail records of a change (with secrets in clear): names and values; for a key only
 * that it changed, and for overrides and settings their masked form.
 */
export function auditable(change: ChannelChange): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, auditableValue(name, value)]),
  )
}

function auditableValue(name: string, value: unknown): unknown {
  if (name === 'key_sealed') return '(changed)'
  const column = channelSecretColumns.find((each) => each === name)
  return column === undefined || typeof value !== 'string' ? value : maskedText(column, value)
}

/** Removes the secret texts that equal the stored ones, because a form sends all of them. */
export function changedSecrets(change: ChannelChange, stored: ChannelSecrets): ChannelChange {
  const same = channelSecretColumns.filter((column) => change[column] === stored[column])
  const names: ReadonlySet<string> = new Set(same)
  return Object.fromEntries(Object.entries(change).filter(([name]) => !names.has(name)))
}
