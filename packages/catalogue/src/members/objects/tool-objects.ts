import { composeRows, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'

/**
 * A tool. Names, descriptions and schemas of functions are the caller's own and are not judged; what belongs
 * to a tool that the upstream runs is.
 */
export const toolObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  tool: composeRows(
    [
      defineRow('type', 'reaches', source.OPENAI_TOOLS),
      defineRow('tools', 'reaches', source.OPENAI_TOOLS, { inside: 'tool' }),
      defineRow('environment', 'reaches', source.OPENAI_TOOLS, { inside: 'environment' }),
      defineRow('max_uses', 'limit', source.ANTHROPIC_TOOLS),
      defineRow('max_content_tokens', 'limit', source.ANTHROPIC_TOOLS),
      defineRow('max_num_results', 'limit', source.OPENAI_TOOLS),
      defineRow('search_context_size', 'priced', source.OPENAI_TOOLS),
      defineRow('container', 'priced', source.OPENAI_TOOLS, { inside: 'container' }),
      ...defineRows('reaches', source.OPENAI_TOOLS, 'vector_store_ids file_ids server_url connector_id'),
      defineRow('model', 'names', source.ANTHROPIC_ADVISOR, { reportedBy: ['anthropic'], isRefused: true }),
      ...defineRows('priced', source.OPENAI_TOOLS, 'size quality partial_images'),
      defineRow('function', 'plain', source.OPENAI_CHAT, { inside: 'function' }),
      defineRow('custom', 'plain', source.OPENAI_CHAT),
    ],
    defineRows(
      'plain',
      source.OPENAI_TOOLS,
      `name description parameters strict format filters user_location ranking_options server_label
       server_description headers authorization require_approval allowed_tools display_width display_height
       background input_fidelity input_image_mask moderation output_compression output_format action
       external_web_access search_content_types image_settings allowed_domains blocked_domains excluded_domains
       tunnel_id indexed_web_access return_token_budget execution output_schema namespace supports_parallel_calls`,
    ),
    defineRows(
      'plain',
      source.ANTHROPIC_TOOLS,
      `input_schema cache_control defer_loading eager_input_streaming input_examples allowed_callers
       display_width_px display_height_px display_number enable_zoom max_characters citations use_cache
       response_inclusion mcp_server_name default_config configs caching`,
    ),
    defineRows(
      'plain',
      source.XAI_CHAT,
      `enable_image_understanding enable_video_understanding enable_image_search allowed_x_handles
       excluded_x_handles from_date to_date collection_ids limit instructions retrieval_mode`,
    ),
    defineRows(
      'plain',
      source.ZHIPU_CHAT,
      'web_search retrieval drawing_tool web_browser code_interpreter mcp',
    ),
    defineRows('plain', source.OPENROUTER_PLUGINS, 'engine max_results max_total_results search_prompt pdf'),
    defineRows(
      'plain',
      source.GEMINI_GENERATE,
      'googleSearch google_search urlContext url_context codeExecution code_execution',
    ),
    defineRows(
      'plain',
      source.GEMINI_GENERATE,
      'googleMaps google_maps googleSearchRetrieval google_search_retrieval',
    ),
    defineRows(
      'plain',
      source.GEMINI_GENERATE,
      'enterpriseWebSearch enterprise_web_search functionDeclarations function_declarations',
    ),
    defineRows('plain', source.MOONSHOT_CHAT, 'builtin_function plugin extra_content id'),
  ),
  function: [
    ...defineRows('plain', source.OPENAI_CHAT, 'name description parameters strict'),
    ...defineRows(
      'plain',
      source.COHERE_CHAT,
      'parameter_definitions returns response outputs examples defer_loading',
    ),
    ...defineRows('plain', source.ANTHROPIC_TOOLS, 'input_schema cache_control input_examples'),
  ],
  environment: [
    defineRow('type', 'reaches', source.OPENAI_TOOLS),
    defineRow('memory_limit', 'priced', source.OPENAI_TOOLS),
    ...defineRows(
      'plain',
      source.OPENAI_TOOLS,
      'container_id skills file_ids network_policy expires_after name',
    ),
  ],
}
