import { useQuery } from '@tanstack/react-query'
import { pricingRoutes } from '@tollgate/contract/pricing'
import { api } from '../api/client.ts'
import type { Offer } from './chat-models.ts'

const SELDOM_CHANGED_MS = 300_000

/**
 * The price list: in which groups models are served, and which endpoints they support. `undefined` until it
 * is loaded, and if the site hides it.
 */
export function useOffers(): readonly Offer[] | undefined {
  const { data } = useQuery({
    queryKey: ['pricing', 'offers'],
    staleTime: SELDOM_CHANGED_MS,
    retry: false,
    queryFn: ({ signal }) => api.call(pricingRoutes.list, { signal }),
  })
  return data
}
