import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { queryFlag, queryTerm } from './query.ts'
import { defineRoute, siteBodyless, siteReading } from './route.ts'

/** Bindings of sessions to channels, in the form of new-api. All of them belong to one rule. */
export const AFFINITY_RULE = 'session'

export const affinityRoutes = {
  cache: defineRoute({
    ...siteReading,
    access: 'root',
    path: '/api/option/channel_affinity_cache',
    summary: 'Number of sessions that are bound to a channel and key',
    data: z.object({
      enabled: z.boolean(),
      total: z.int(),
      unknown: z.int(),
      by_rule_name: z.record(z.string(), z.int()),
      /** In one process; Redis has its own limit. */
      cache_capacity: z.int(),
      cache_algo: z.string(),
    }),
  }),
  clear: defineRoute({
    ...siteBodyless,
    access: 'root',
    method: 'DELETE',
    path: '/api/option/channel_affinity_cache',
    summary: 'Unbinds all sessions: with `all=true`, or by the name of the rule',
    badBodyStatus: 400,
    query: z.object({ all: queryFlag(), rule_name: queryTerm() }),
    data: z.object({ deleted: z.int() }),
  }),
  usage: defineRoute({
    ...siteReading,
    path: '/api/log/channel_affinity_usage_cache',
    summary:
      'How many calls of a session read from the upstream’s cache, within the time that a binding lasts',
    query: z.object({ rule_name: queryTerm(), using_group: queryTerm(), key_fp: queryTerm() }),
    data: z.object({
      rule_name: z.string(),
      using_group: z.string(),
      key_fp: z.string(),
      cached_token_rate_mode: z.string(),
      hit: z.int(),
      total: z.int(),
      window_seconds: z.int(),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      total_tokens: z.int(),
      cached_tokens: z.int(),
      prompt_cache_hit_tokens: z.int(),
      last_seen_at: unixSecondsSchema,
    }),
  }),
} as const
