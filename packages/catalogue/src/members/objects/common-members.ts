import { composeRows, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'

/** Members of every body that decide price, group or what the vendor keeps. */
export const commonMembers: readonly MemberRow[] = [
  defineRow('model', 'content', source.OPENAI_CHAT),
  defineRow('group', 'content', source.TOLLGATE_API),
  defineRow('stream', 'content', source.OPENAI_CHAT),
  defineRow('store', 'reaches', source.OPENAI_CHAT),
  defineRow('service_tier', 'priced', source.OPENAI_CHAT),
  defineRow('inference_geo', 'priced', source.ANTHROPIC_MESSAGES),
  defineRow('speed', 'priced', source.ANTHROPIC_MESSAGES),
  defineRow('safety_identifier', 'identifies', source.OPENAI_CHAT),
]

/**
 * Members by which a caller would choose an address, a key, a deployment, an agent or another model that
 * nobody priced. They are taken out of every body, and out of the members that are merged into one.
 */
export const routingMembers: readonly MemberRow[] = [
  ...defineRows(
    'routes',
    source.LITELLM_OVERRIDES,
    `api_base base_url api_key api_version api_type custom_llm_provider azure_ad_token azure_ad_token_provider
     aws_access_key_id aws_secret_access_key aws_session_token aws_region_name aws_profile_name aws_role_name
     aws_session_name aws_web_identity_token aws_bedrock_runtime_endpoint vertex_credentials vertex_project
     vertex_location organization headers extra_headers extra_query default_headers proxy_base_url`,
  ),
  ...defineRows(
    'routes',
    source.LITELLM_FALLBACKS,
    `fallback_model fallback_models context_window_fallbacks context_window_fallback_dict
     content_policy_fallbacks default_fallbacks disable_fallbacks mock_testing_fallbacks
     mock_testing_context_fallbacks mock_testing_content_policy_fallbacks router_settings_override model_list
     target_model_names specific_deployment use_in_pass_through`,
  ),
  ...defineRows(
    'routes',
    source.LITELLM_INPUT,
    'mock_response mock_tool_calls mock_timeout model_id litellm_params',
  ),
  ...defineRows('routes', source.ASSEMBLYAI_FALLBACKS, 'fallback_config fallback_strategy'),
  ...defineRows(
    'routes',
    source.PORTKEY_ROUTES,
    'targets strategy virtual_key override_params portkey_config',
  ),
  ...defineRows(
    'routes',
    source.AZURE_CHAT,
    'deployment deployment_id deployment_name engine engine_id engines',
  ),
  ...defineRows('routes', source.OPENROUTER_PRESETS, 'preset preset_id presets'),
  ...defineRows('routes', source.OPENROUTER_MODELS, 'route routes'),
  ...defineRows('routes', source.MISTRAL_CHAT, 'agent_id agent_version'),
  ...defineRows('routes', source.COZE_CHAT, 'bot_id bot_version workflow_id connector_uid'),
  ...defineRows('routes', source.DIFY_CHAT, 'app_id application_id app_key'),
  ...defineRows(
    'routes',
    source.BEDROCK_CONVERSE,
    'inference_profile_arn inference_profile inference_config_arn guardrail_config_arn prompt_arn model_arn',
  ),
  ...defineRows(
    'routes',
    source.REPLICATE_API,
    'webhook webhook_url webhook_events_filter callback_url notify_url',
  ),
]

/** Models that a request may name beside its own. */
export const namingMembers: readonly MemberRow[] = [
  defineRow('models', 'names', source.OPENROUTER_MODELS, { reportedBy: ['openrouter', 'perplexity'] }),
  defineRow('fallbacks', 'names', source.ANTHROPIC_FALLBACKS, {
    reportedBy: ['anthropic', 'openrouter'],
    inside: 'fallback',
  }),
]

export const fallbackMembers: readonly MemberRow[] = [
  defineRow('model', 'content', source.ANTHROPIC_FALLBACKS),
  ...defineRows('routes', source.LITELLM_FALLBACKS, 'messages max_tokens thinking api_base api_key'),
]

/** Members whose content some upstream merges into the body. */
export const mergedMembers: readonly MemberRow[] = [
  defineRow('extra_body', 'content', source.GEMINI_OPENAI, { inside: 'merged' }),
  ...`extra_fields extra_params extra_args extra additional_params additional_kwargs model_kwargs model_params
      provider_options provider_params vendor_params custom_params custom_parameters body_params request_params
      additional_model_request_fields options parameters`
    .split(/\s+/)
    .map((name) => defineRow(name, 'plain', source.LITELLM_INPUT, { inside: 'merged' })),
]

/**
 * Inside a merged member only what is harmless may stand: what chooses, limits or costs is read by the gateway
 * in its own place and nowhere else.
 */
export const insideMerged: readonly MemberRow[] = composeRows(
  [
    defineRow('enable_search', 'reaches', source.QWEN_CHAT),
    defineRow('google', 'content', source.GEMINI_OPENAI, { inside: 'merged-google' }),
  ],
  defineRows(
    'routes',
    source.OPENAI_CHAT,
    'model models fallbacks group stream service_tier inference_geo speed',
  ),
  routingMembers,
  defineRows(
    'routes',
    source.OPENAI_CHAT,
    `messages max_tokens max_completion_tokens max_output_tokens n best_of tools functions modalities audio
     web_search_options prediction`,
  ),
  defineRows('routes', source.VLLM_SERVER, 'max_new_tokens min_tokens'),
  defineRows('routes', source.OLLAMA_CHAT, 'num_predict num_ctx'),
  defineRows('routes', source.TGI_SERVER, 'num_return_sequences num_generations'),
  defineRows('routes', source.OPENROUTER_PLUGINS, 'plugins provider'),
  defineRows('routes', source.XAI_CHAT, 'search_parameters'),
  defineRows('routes', source.OPENAI_IMAGES, 'size quality num_images num_outputs batch_size sample_count'),
  defineRows('routes', source.OPENAI_RESPONSES, 'previous_response_id conversation prompt background'),
  defineRows('routes', source.GEMINI_GENERATE, 'cached_content candidate_count'),
  defineRows('routes', source.ANTHROPIC_MESSAGES, 'mcp_servers container'),
  defineRows(
    'routes',
    source.QWEN_CHAT,
    'enable_code_interpreter search_options forced_search plugins_config',
  ),
)

export const mergedGoogle: readonly MemberRow[] = [
  defineRow('thinking_config|thinkingConfig', 'limit', source.GEMINI_OPENAI, { inside: 'thinking-config' }),
  defineRow('cached_content|cachedContent', 'reaches', source.GEMINI_OPENAI),
  defineRow('thought_tag_marker', 'plain', source.GEMINI_OPENAI),
  defineRow('safety_settings', 'plain', source.GEMINI_OPENAI),
]

/** Members that make an upstream read or run more than the request contains. */
export const reachingMembers: readonly MemberRow[] = [
  defineRow('functions', 'content', source.OPENAI_CHAT, { inside: 'function' }),
  defineRow('web_search_options', 'reaches', source.OPENAI_CHAT, { inside: 'web-search-options' }),
  defineRow('search_parameters', 'reaches', source.XAI_CHAT, { inside: 'search-parameters' }),
  defineRow('enable_search', 'reaches', source.QWEN_CHAT),
  defineRow('enable_enhancement', 'reaches', source.HUNYUAN_CHAT),
  defineRow('enable_code_interpreter', 'reaches', source.QWEN_CHAT),
  defineRow('web_search', 'reaches', source.BAIDU_CHAT, { inside: 'web-search' }),
  defineRow('connectors', 'reaches', source.COHERE_CHAT),
  defineRow('compound_custom', 'reaches', source.GROQ_CHAT),
  defineRow('documents', 'reaches', source.COHERE_CHAT),
  defineRow('cached_content|cachedContent', 'reaches', source.GEMINI_GENERATE),
  defineRow('conversation', 'reaches', source.OPENAI_RESPONSES),
  defineRow('previous_response_id', 'reaches', source.OPENAI_RESPONSES),
  defineRow('thread', 'reaches', source.ANTHROPIC_SDK, { inside: 'thread' }),
  defineRow('plugins', 'reaches', source.OPENROUTER_PLUGINS, { inside: 'plugin' }),
  defineRow('mcp_servers', 'reaches', source.ANTHROPIC_MESSAGES, { inside: 'mcp-server' }),
  defineRow('container', 'reaches', source.ANTHROPIC_MESSAGES, { inside: 'container' }),
  defineRow('context_management', 'reaches', source.ANTHROPIC_COMPACTION),
  defineRow('file_ids', 'reaches', source.OPENAI_TOOLS),
  defineRow('vector_store_ids', 'reaches', source.OPENAI_TOOLS),
]
