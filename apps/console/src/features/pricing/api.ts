import { useQuery } from '@tanstack/react-query'
import { type PricingRow, pricingRoutes } from '@tollgate/contract/pricing'
import * as z from 'zod/mini'
import { api } from '../../shared/api/client.ts'
import { useSessionUser } from '../../shared/session/session.ts'

export interface PriceList {
  readonly rows: readonly PricingRow[]
  readonly groups: readonly PriceGroup[]
}

export interface PriceGroup {
  readonly name: string
  readonly description: string
  readonly ratio: number
}

const extraSchema = z.object({
  group_ratio: z.record(z.string(), z.number()),
  usable_group: z.record(z.string(), z.string()),
})

/**
 * The models that the reader can call, and the groups they may use. The list depends on the user, so the
 * query key contains the user's id.
 */
export function usePriceList() {
  const user = useSessionUser()
  return useQuery({
    queryKey: ['pricing', user?.id ?? 0],
    queryFn: async ({ signal }): Promise<PriceList> => {
      const { data, extra } = await api.callWhole(pricingRoutes.list, { signal })
      const { group_ratio: ratios, usable_group: descriptions } = extraSchema.parse(extra)
      const groups = Object.entries(ratios).map(([name, ratio]) => {
        return { name, ratio, description: descriptions[name] ?? '' }
      })
      return { rows: data, groups }
    },
  })
}

/** The group whose prices are shown: the requested one, else the reader's own, else the first in the list. */
export function useShownGroup(groups: readonly PriceGroup[], asked: string): PriceGroup | undefined {
  const own = useSessionUser()?.group ?? 'default'
  const named = (name: string) => groups.find((group) => group.name === name)
  return named(asked) ?? named(own) ?? groups[0]
}
