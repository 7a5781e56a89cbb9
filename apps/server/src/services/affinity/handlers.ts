import { AFFINITY_RULE, affinityRoutes } from '@tollgate/contract/affinity'
import { problem } from '@tollgate/problems/problem'
import { cacheUseOf } from '@tollgate/store/logs/call-sessions'
import type { RoutingInsight } from '../../ports/channel-insight.ts'
import { type BoundRoute, bind, type Handler } from '../handler.ts'
import type { Services } from '../services.ts'

export interface AffinityServices extends Services {
  readonly routing: Pick<RoutingInsight, 'bindings' | 'clearBindings'>
}

export function affinityHandlers(services: AffinityServices): readonly BoundRoute[] {
  return [
    bind(affinityRoutes.cache, countBindings(services)),
    bind(affinityRoutes.clear, clearBindings(services)),
    bind(affinityRoutes.usage, readCacheUse(services)),
  ]
}

function countBindings({ routing, options }: AffinityServices): Handler<typeof affinityRoutes.cache> {
  return async () => {
    const total = await routing.bindings()
    return {
      enabled: options.get('channel_affinity_setting.enabled'),
      total,
      unknown: 0,
      by_rule_name: { [AFFINITY_RULE]: total },
      cache_capacity: options.get('channel_affinity_setting.max_entries'),
      cache_algo: 'lru',
    }
  }
}

function clearBindings({ routing, audit }: AffinityServices): Handler<typeof affinityRoutes.clear> {
  return async (call) => {
    const { all, rule_name: rule } = call.query
    if (!all && rule !== AFFINITY_RULE) throw problem('affinity_rule_unknown', { rule: AFFINITY_RULE })
    await audit(call, { action: 'remove', entity: 'affinity', entityId: 'several' })
    return { deleted: await routing.clearBindings() }
  }
}

/** `key_fp` is the session, as the usage log has it. */
function readCacheUse(services: AffinityServices): Handler<typeof affinityRoutes.usage> {
  const { store, logs = store, clock, options } = services
  return async ({ query }) => {
    const { rule_name: rule, using_group: group, key_fp: session } = query
    if (rule !== AFFINITY_RULE || session === undefined)
      throw problem('affinity_rule_unknown', { rule: AFFINITY_RULE })
    const windowSeconds = options.get('channel_affinity_setting.default_ttl_seconds')
    const since = Math.floor(clock.nowMs() / 1000) - windowSeconds
    const use = await cacheUseOf(logs, { session, group, since })
    return {
      rule_name: AFFINITY_RULE,
      using_group: group ?? '',
      key_fp: session,
      cached_token_rate_mode: 'cached_over_prompt',
      hit: use.hits,
      total: use.calls,
      window_seconds: windowSeconds,
      prompt_tokens: use.promptTokens,
      completion_tokens: use.completionTokens,
      total_tokens: use.promptTokens + use.completionTokens,
      cached_tokens: use.cachedTokens,
      prompt_cache_hit_tokens: use.cachedTokens,
      last_seen_at: use.lastAt,
    }
  }
}
