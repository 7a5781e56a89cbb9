import { defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'

/** Objects inside members that make an upstream read or run more than the request contains. */
export const reachingObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  'web-search-options': [
    defineRow('search_context_size', 'priced', source.OPENAI_CHAT),
    ...defineRows('plain', source.OPENAI_CHAT, 'user_location search_type image_results_enhanced_relevance'),
  ],
  'search-parameters': [
    defineRow('mode', 'reaches', source.XAI_CHAT),
    defineRow('max_search_results', 'limit', source.XAI_CHAT),
    ...defineRows('plain', source.XAI_CHAT, 'sources from_date to_date return_citations'),
  ],
  'web-search': [
    ...defineRows('reaches', source.BAIDU_CHAT, 'enable mode'),
    ...defineRows(
      'plain',
      source.BAIDU_CHAT,
      `enable_citation enable_trace enable_status search_num reference_num search_number search_mode
       search_domain_filter search_recency_filter search_engine search_result search_query search_prompt count`,
    ),
  ],
  plugin: [
    defineRow('id', 'reaches', source.OPENROUTER_PLUGINS),
    defineRow('max_results', 'limit', source.OPENROUTER_PLUGINS),
    defineRow('model', 'routes', source.OPENROUTER_PLUGINS),
    defineRow('models', 'routes', source.OPENROUTER_PLUGINS),
    defineRow('preset', 'routes', source.OPENROUTER_PLUGINS),
    ...defineRows(
      'plain',
      source.OPENROUTER_PLUGINS,
      `enabled engine search_prompt include_domains exclude_domains pdf max_files allowed_models user_location
       cost_quality_tradeoff max_uses`,
    ),
  ],
  'mcp-server': defineRows('reaches', source.ANTHROPIC_MESSAGES, 'type url name').concat(
    defineRows('plain', source.ANTHROPIC_MESSAGES, 'authorization_token tool_configuration'),
  ),
  container: defineRows('reaches', source.ANTHROPIC_MESSAGES, 'type id file_ids skills').concat(
    defineRow('memory_limit', 'priced', source.OPENAI_TOOLS),
    defineRows('plain', source.OPENAI_TOOLS, 'network_policy expires_after name'),
  ),
  thread: defineRows('reaches', source.ANTHROPIC_SDK, 'type previous_message_id'),
  provider: [
    ...defineRows(
      'narrows',
      source.OPENROUTER_PROVIDER,
      `order only ignore allow_fallbacks require_parameters data_collection zdr enforce_distillable_text
       quantizations sort max_price preferred_min_throughput preferred_max_latency preferred_min_throughput_tps
       max_latency experimental`,
    ),
  ],
}
