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
  readonly auto_groups?: readonly string[] | null | undefined
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
  const sentOrder = readSentOrder(fields, stored)
  const order = sentOrder === undefined ? stored.groupOrder : readOrder(sentOrder)
  const isNewOrder = order !== stored.groupOrder
  for (const name of isNewOrder ? splitList(order) : [])
    if (!isUsable(name)) throw problem('token_group_not_usable', { group: name })
  const isNew = group !== stored.group || isNewOrder
  if (isNew && !mayHave(group, order, { snapshots, prices, isUsable })) refuse(group, prices)
  return {
    ...(fields.group !== undefined && { group_name: group }),
    ...(sentOrder !== undefined && { group_order: order }),
    ...(fields.cross_group_retry !== undefined && { cross_group_retry: fields.cross_group_retry ? 1 : 0 }),
  }
}

/**
 * Refuses a group that the owner may not use any more, of a request that changes nothing else: it is meant to set the
 * group, and not to edit other fields of the token.
 */
export function requireUsableGroup({ snapshots, ownGroup, stored }: GroupRules): void {
  const prices = snapshots.prices()
  const isUsable = (group: string) => prices.usableGroups(ownGroup).has(group) && prices.hasGroup(group)
  const { group, groupOrder } = stored
  if (!mayHave(group, groupOrder, { snapshots, prices, isUsable })) refuse(group, prices)
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

/**
 * The order that a body names, under our name or under new-api's. Its consoles send the whole row back with one of
 * the two changed, so the one that differs from the stored order counts.
 */
function readSentOrder(fields: GroupFields, { groupOrder }: StoredGroups): string | undefined {
  const { group_order: own, auto_groups: list } = fields
  const other = list === undefined ? undefined : (list ?? []).join(',')
  if (own === undefined || other === undefined || own === other) return own ?? other
  if (own === groupOrder) return other
  if (other === groupOrder) return own
  throw problem('token_group_orders_differ')
}

function readOrder(text: string): string {
  const groups = [...new Set(splitList(text))]
  if (groups.length > TOKEN_GROUPS_MAX) throw problem('token_groups_too_many', { max: TOKEN_GROUPS_MAX })
  return groups.join(',')
}
