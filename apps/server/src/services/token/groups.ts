import { TOKEN_GROUPS_MAX } from '@tollgate/contract/token'
import { problem } from '@tollgate/problems/problem'
import type { TokenChange } from '@tollgate/store/accounts/tokens'
import { isAuto } from '../../snapshots/auto-groups.ts'
import type { Snapshots, PriceBook } from '../../snapshots/snapshots.ts'
import { splitList } from '../comma-list.ts'

/** The group fields of a token that a caller may set; a missing field stays unchanged. */
export interface GroupFields {
  readonly group?: string | undefined
  readonly group_order?: string | undefined
  readonly cross_group_retry?: boolean | undefined
}

/** The current values of the token. */
export interface StoredGroups {
  readonly group: string
  readonly groupOrder: string
}

interface GroupRules {
  readonly snapshots: Snapshots
  readonly ownGroup: string
  readonly stored: StoredGroups
}

/**
 * Validates the groups and returns the columns to write. Stored values are accepted even if the site has
 * withdrawn them since, so that other fields can be edited.
 */
export function readGroups(fields: GroupFields, { snapshots, ownGroup, stored }: GroupRules): TokenChange {
  const prices = snapshots.prices()
  const isUsable = (group: string) => prices.usableGroups(ownGroup).has(group) && prices.hasGroup(group)
  const group = fields.group?.trim() ?? stored.group
  const order = fields.group_order === undefined ? stored.groupOrder : readOrder(fields.group_order)
  const isNewOrder = order !== stored.groupOrder
  for (const name of isNewOrder ? splitList(order) : [])
    if (!isUsable(name)) throw problem('token_group_not_usable', { group: name })
  const isNew = group !== stored.group || isNewOrder
  if (isNew && !mayHave(group, order, { snapshots, prices, isUsable })) refuse(group, prices)
  return {
    ...(fields.group !== undefined && { group_name: group }),
    ...(fields.group_order !== undefined && { group_order: order }),
    ...(fields.cross_group_retry !== undefined && { cross_group_retry: fields.cross_group_retry ? 1 : 0 }),
  }
}

interface Site {
  readonly snapshots: Snapshots
  readonly prices: PriceBook
  readonly isUsable: (group: string) => boolean
}

function mayHave(group: string, order: string, { snapshots, prices, isUsable }: Site): boolean {
  if (!isAuto(group, prices)) return group === '' || isUsable(group)
  return order !== '' || snapshots.settings().autoGroups.some(isUsable)
}

function refuse(group: string, prices: PriceBook): never {
  throw isAuto(group, prices)
    ? problem('token_group_order_missing')
    : problem('token_group_not_usable', { group })
}

function readOrder(text: string): string {
  const groups = [...new Set(splitList(text))]
  if (groups.length > TOKEN_GROUPS_MAX) throw problem('token_groups_too_many', { max: TOKEN_GROUPS_MAX })
  return groups.join(',')
}
