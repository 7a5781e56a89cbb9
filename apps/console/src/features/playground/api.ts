import { useQuery } from '@tanstack/react-query'
import { logRoutes } from '@tollgate/contract/log'
import { api } from '../../shared/api/client.ts'
import { ownGroupsQuery } from '../../shared/api/own-queries.ts'

export interface UsableGroup {
  readonly name: string
  readonly description: string
  readonly ratio: number
}

export function useGroups(): readonly UsableGroup[] {
  const { data } = useQuery(ownGroupsQuery)
  return Object.entries(data ?? {}).map(([name, { desc, ratio }]) => ({ name, description: desc, ratio }))
}

/** The quota units charged for a call; `undefined` while it has no row in the usage log. */
export async function chargeOf(requestId: string): Promise<number | undefined> {
  const { items } = await api.call(logRoutes.listOwn, { query: { request_id: requestId, page_size: 1 } })
  return items[0]?.quota
}
