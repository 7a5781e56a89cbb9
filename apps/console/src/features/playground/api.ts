import { useQuery } from '@tanstack/react-query'
import { groupRoutes } from '@tollgate/contract/group'
import { logRoutes } from '@tollgate/contract/log'
import { modelRoutes } from '@tollgate/contract/model'
import { pricingRoutes } from '@tollgate/contract/pricing'
import { api } from '../../shared/api/client.ts'
import type { Offer } from './settings/chat-models.ts'

const SELDOM_CHANGED_MS = 300_000

/** The models the reader may use, over all their groups. */
export function useModels() {
  return useQuery({
    queryKey: ['model', 'own'],
    staleTime: SELDOM_CHANGED_MS,
    queryFn: ({ signal }) => api.call(modelRoutes.own, { signal }),
  })
}

/** Where models are served and what they can do; `undefined` until known, and where the price list is not shown. */
export function useOffers(): readonly Offer[] | undefined {
  const { data } = useQuery({
    queryKey: ['pricing', 'offers'],
    staleTime: SELDOM_CHANGED_MS,
    retry: false,
    queryFn: ({ signal }) => api.call(pricingRoutes.list, { signal }),
  })
  return data
}

export interface UsableGroup {
  readonly name: string
  readonly description: string
  readonly ratio: number
}

export function useGroups(): readonly UsableGroup[] {
  const { data } = useQuery({
    queryKey: ['group', 'own'],
    staleTime: SELDOM_CHANGED_MS,
    queryFn: ({ signal }) => api.call(groupRoutes.own, { signal }),
  })
  return Object.entries(data ?? {}).map(([name, { desc, ratio }]) => ({ name, description: desc, ratio }))
}

/** What one call cost; `undefined` while it has no row in the usage log. */
export async function chargeOf(requestId: string): Promise<number | undefined> {
  const { items } = await api.call(logRoutes.listOwn, { query: { request_id: requestId, page_size: 1 } })
  return items[0]?.quota
}
