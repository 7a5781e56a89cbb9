import type { Channel } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { listOf } from '../form-value.ts'

/** The channels of one tag, merged into one row. */
export interface TagGroup {
  readonly tag: string
  readonly channels: readonly Channel[]
  readonly enabled: number
  readonly groups: readonly string[]
  readonly usedQuota: number
  /** Mean over the tested channels; 0 if none was tested. */
  readonly responseMs: number
  /** `undefined` if the channels have different values. */
  readonly priority: number | undefined
  readonly weight: number | undefined
}

/** One row per tag, in the order in which the tags first appear. */
export function groupByTag(channels: readonly Channel[]): readonly TagGroup[] {
  return [...Map.groupBy(channels, ({ tag }) => tag)].map(([tag, members]) => ({
    tag,
    channels: members,
    enabled: members.filter(({ status }) => status === CHANNEL_STATUS.enabled).length,
    groups: defaultFirst([...new Set(members.flatMap(({ group }) => listOf(group)))]),
    usedQuota: members.reduce((sum, { used_quota: used }) => sum + used, 0),
    responseMs: mean(members.map(({ response_time: ms }) => ms).filter((ms) => ms > 0)),
    priority: common(members.map(({ priority }) => priority)),
    weight: common(members.map(({ weight }) => weight)),
  }))
}

/** Puts the `default` group, which everybody has, first. */
export function defaultFirst(groups: readonly string[]): readonly string[] {
  return groups.toSorted((left, right) => Number(right === 'default') - Number(left === 'default'))
}

function mean(values: readonly number[]): number {
  if (values.length === 0) return 0
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
}

function common(values: readonly number[]): number | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined
}
