import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { logRoutes } from '@tollgate/contract/log'
import { OWN_USAGE_KEYS, type UsageKeyName, usageRoutes } from '@tollgate/contract/usage'
import type { z } from 'zod'
import { api } from '../../shared/api/client.ts'
import { pastMinutes, type Span } from './span.ts'

type OwnSeries = z.output<typeof usageRoutes.seriesOwn.data>

interface SeriesInput {
  readonly isOfAll: boolean
  readonly by: UsageKeyName
  readonly span: Span
}

/** The previous chart stays on screen while the next data is loading. */
export function useSeries({ isOfAll, by, span }: SeriesInput) {
  const { start, end, step } = span
  return useQuery({
    queryKey: ['usage', 'series', isOfAll, by, span.name, step],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = {
        start_timestamp: start,
        end_timestamp: end,
        step,
        by,
        offset_minutes: -new Date().getTimezoneOffset(),
      }
      const { points, step_seconds } = isOfAll
        ? await api.call(usageRoutes.series, { query, signal })
        : withoutCosts(await api.call(usageRoutes.seriesOwn, { query: { ...query, by: ownKey(by) }, signal }))
      const minutes = pastMinutes({ start, end }, Date.now() / 1000)
      return { points, stepSeconds: step_seconds, start, end, minutes }
    },
  })
}

/** Adds zero costs: the server does not return the operator's costs in a user's own series. */
function withoutCosts({ points, ...series }: OwnSeries) {
  return { ...series, points: points.map((point) => ({ ...point, cost: 0, costed_quota: 0 })) }
}

export function ownKey(by: UsageKeyName): (typeof OWN_USAGE_KEYS)[number] {
  return OWN_USAGE_KEYS.find((key) => key === by) ?? 'model'
}

const RATES_MS = 15_000

/** Calls and tokens of the last minute. */
export function useRates(isOfAll: boolean) {
  return useQuery({
    queryKey: ['usage', 'rates', isOfAll],
    refetchInterval: RATES_MS,
    queryFn: async ({ signal }) => {
      const query = { start_timestamp: Math.floor(Date.now() / 1000) }
      const { rpm, tpm } = isOfAll
        ? await api.call(logRoutes.stat, { query, signal })
        : await api.call(logRoutes.statOwn, { query, signal })
      return { rpm, tpm }
    },
  })
}

/** Calls interrupted by a crash; requested only for operators. */
export function useInterrupted(isOfAll: boolean, { start, end, name }: Span) {
  return useQuery({
    queryKey: ['usage', 'interrupted', name],
    enabled: isOfAll,
    queryFn: ({ signal }) => {
      const query = { start_timestamp: start, end_timestamp: end }
      return api.call(usageRoutes.interrupted, { query, signal })
    },
  })
}

/** The part of call costs above the admitted maximum, which was waived; operators only. */
export function useWaived({ start, end, name }: Span) {
  return useQuery({
    queryKey: ['usage', 'waived', name],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { start_timestamp: start, end_timestamp: end }
      return api.call(usageRoutes.waived, { query, signal })
    },
  })
}
