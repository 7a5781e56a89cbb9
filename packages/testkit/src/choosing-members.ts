/** A member by which some server lets its caller choose what serves a call, or where. */
export interface ChoosingMember {
  readonly name: string
  readonly body: 'chat' | 'messages' | 'responses' | 'generate' | 'realtime'
  readonly document: string
  readonly date: string
}

const READ = '2026-11-29'

function members(body: ChoosingMember['body'], document: string, names: string): readonly ChoosingMember[] {
  return names.split(/\s+/).map((name) => ({ name, body, document, date: READ }))
}

/**
 * What servers document, written down without looking at the gateway's own tables: a test compares both. A path has
 * a dot for each level.
 */
export const choosingMembers: readonly ChoosingMember[] = [
  ...members('chat', 'https://openrouter.ai/docs/guides/routing/model-fallbacks', 'models route'),
  ...members('responses', 'https://openrouter.ai/docs/guides/routing/model-fallbacks', 'models'),
  ...members('messages', 'https://openrouter.ai/docs/guides/routing/model-fallbacks', 'models fallbacks'),
  ...members('chat', 'https://openrouter.ai/docs/guides/features/presets', 'preset'),
  ...members('chat', 'https://openrouter.ai/docs/guides/features/plugins', 'plugins.models plugins.model'),
  ...members('chat', 'https://docs.perplexity.ai/docs/agent-api/model-fallback', 'models'),
  ...members(
    'chat',
    'https://docs.litellm.ai/docs/proxy/clientside_auth',
    `api_base base_url api_key api_version api_type custom_llm_provider azure_ad_token aws_access_key_id
     aws_secret_access_key aws_session_token aws_region_name vertex_credentials vertex_project vertex_location
     organization headers extra_headers extra_query model_list`.trim(),
  ),
  ...members(
    'chat',
    'https://docs.litellm.ai/docs/proxy/client_side_fallbacks',
    `fallbacks context_window_fallbacks context_window_fallback_dict content_policy_fallbacks
     mock_testing_fallbacks extra_body.fallbacks extra_body.model`.trim(),
  ),
  ...members('chat', 'https://docs.litellm.ai/docs/completion/input', 'deployment_id mock_response model_id'),
  ...members('chat', 'https://assemblyai.com/docs/llm-gateway/fallback', 'fallbacks fallback_config'),
  ...members(
    'chat',
    'https://portkey.ai/docs/product/ai-gateway/fallbacks',
    'strategy targets override_params',
  ),
  ...members('chat', 'https://lightning.ai/docs/litai/api-reference/llm-api', 'fallback_models'),
  ...members('chat', 'https://docs.mistral.ai/api', 'agent_id'),
  ...members('chat', 'https://www.coze.com/docs/developer_guides/chat_v3', 'bot_id workflow_id'),
  ...members('chat', 'https://learn.microsoft.com/azure/ai-foundry/openai/reference', 'deployment engine'),
  ...members('messages', 'https://github.com/mozex/anthropic-laravel/releases/tag/1.8.0', 'fallbacks'),
  ...members(
    'messages',
    'https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool',
    'tools.model',
  ),
  ...members('responses', 'https://platform.openai.com/docs/guides/tools-image-generation', 'tools.model'),
  ...members(
    'generate',
    'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
    'generationConfig.routingConfig generationConfig.modelSelectionConfig',
  ),
  ...members(
    'realtime',
    'https://platform.openai.com/docs/api-reference/realtime-client-events',
    `session.model response.model session.input_audio_transcription.model
     session.audio.input.transcription.model`.trim(),
  ),
]
