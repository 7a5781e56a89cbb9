import { withoutTrailing } from '@tollgate/kit/without-trailing'
import type { Cipher } from '@tollgate/kit/cipher'
import { readChannelSettings, type ChannelSettings } from '@tollgate/providers/channel-settings'
import { compileOverride, type Override } from '@tollgate/providers/override/override'
import type { Provider } from '@tollgate/providers/provider'
import type { ChannelSnapshotRow } from '@tollgate/store/operations/snapshot-reads'
import { decryptChannelSecrets } from '@tollgate/store/channels/secrets'
import { channelKeyHash } from '@tollgate/store/channels/keys'
import { channelKeyContext } from '@tollgate/store/channels/channels'
import type { RosterChannel } from './snapshots.ts'
import { costRatios } from './cost-ratios.ts'
import { headerRules } from './header-rules.ts'
import { jsonMembers, jsonObject } from './json-object.ts'
import { modelMapping } from './model-mapping.ts'

export interface RosterChannelParts {
  readonly provider: Provider
  readonly cipher: Cipher
  /** Hashes of the channel's keys that are out of the rotation. */
  readonly disabledKeys: ReadonlySet<string> | undefined
}

/** Builds a roster channel from its row. Throws when the channel's key cannot be decrypted. */
export function rosterChannel(row: ChannelSnapshotRow, parts: RosterChannelParts): RosterChannel {
  const { cipher } = parts
  const keys = cipher.decrypt(row.key_sealed, channelKeyContext(row.id)).split('\n')
  const secrets = decryptChannelSecrets(row, cipher)
  const stored = jsonObject(secrets.setting)
  const settings = readChannelSettings(stored)
  const provider = parts.provider.forChannel?.({ key: keys[0] ?? '', settings }) ?? parts.provider
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    provider,
    status: row.status,
    priority: row.priority,
    weight: row.weight,
    baseUrl: withoutTrailing(row.base_url || provider.baseUrl || '', '/'),
    keys,
    disabledKeys: placesOf(row.id, keys, parts.disabledKeys),
    other: row.other,
    organization: row.openai_organization,
    createdTime: row.created_time,
    groups: elements(row.group_names),
    models: elements(row.models),
    modelPrefix: row.model_prefix,
    modelMapping: modelMapping(row.model_mapping),
    statusMapping: statusMapping(row.status_code_mapping),
    headerRules: headerRules(secrets.header_override),
    parameterOverride: parameterOverride(secrets.param_override),
    settings,
    costs: costRatios(stored),
    isAutoBan: row.auto_ban === 1,
    testModel: row.test_model,
  }
}

/** The settings in the text of a channel's `setting` column. */
export function settingsIn(text: string): ChannelSettings {
  return readChannelSettings(jsonObject(text))
}

const NONE: ReadonlySet<number> = new Set()

function placesOf(
  id: number,
  keys: readonly string[],
  hashes: RosterChannelParts['disabledKeys'],
): ReadonlySet<number> {
  if (hashes === undefined) return NONE
  return new Set(keys.keys().filter((index) => hashes.has(channelKeyHash(id, keys[index] ?? ''))))
}

function elements(list: string): readonly string[] {
  const names = list.split(',').map((name) => name.trim())
  return [...new Set(names)].filter((name) => name !== '')
}

/**
 * Maps upstream error statuses to the status for the caller. Entries for statuses below 400 are ignored, so a
 * failure never becomes a success.
 */
export function statusMapping(text: string): ReadonlyMap<number, number> {
  const pairs = jsonMembers(text).map(([from, to]) => [Number(from), Number(to)] as const)
  return new Map(pairs.filter(([from, to]) => isStatus(from) && to >= 400 && isStatus(to)))
}

function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 100 && status <= 599
}

/** An override that cannot be compiled makes the channel unusable: every attempt throws the error. */
function parameterOverride(text: string): Override | undefined {
  const members = jsonObject(text)
  if (Object.keys(members).length === 0) return undefined
  try {
    return compileOverride(members)
  } catch (error) {
    return () => {
      throw error
    }
  }
}
