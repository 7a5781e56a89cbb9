import {
  ANTHROPIC_ADVISOR,
  ANTHROPIC_MESSAGES,
  BEDROCK_CONVERSE,
  COHERE_CHAT,
  DEEPSEEK_CHAT,
  GEMINI_GENERATE,
  GROQ_CHAT,
  MISTRAL_CHAT,
  MOONSHOT_CHAT,
  OPENAI_AUDIO,
  OPENAI_CHAT,
  OPENAI_IMAGES,
  OPENAI_REALTIME,
  OPENAI_RESPONSES,
  OPENROUTER_API,
  PERPLEXITY_CHAT,
  QWEN_CHAT,
  XAI_CHAT,
} from '../members/member-sources.ts'
import type { MemberSource } from '../members/member-row.ts'

/** A family of usage objects, which one reader reads. */
export type UsageFamily = 'openai' | 'anthropic' | 'gemini' | 'converse' | 'cohere'

/** Counts of a usage object that are known: read, or a figure that is no amount of anything sold. */
export interface UsageMembers {
  readonly family: UsageFamily
  /** Paths below the usage object; items of a list have the path of the list. A last `*`: every count below it. */
  readonly paths: readonly string[]
  readonly source: MemberSource
}

export const usageMembers: readonly UsageMembers[] = [
  {
    family: 'openai',
    paths: [
      'prompt_tokens',
      'completion_tokens',
      'total_tokens',
      'prompt_tokens_details.cached_tokens',
      'prompt_tokens_details.audio_tokens',
      'prompt_tokens_details.text_tokens',
      'prompt_tokens_details.image_tokens',
      'prompt_tokens_details.cache_write_tokens',
      'completion_tokens_details.reasoning_tokens',
      'completion_tokens_details.audio_tokens',
      'completion_tokens_details.text_tokens',
      'completion_tokens_details.image_tokens',
      'completion_tokens_details.accepted_prediction_tokens',
      'completion_tokens_details.rejected_prediction_tokens',
    ],
    source: OPENAI_CHAT,
  },
  {
    family: 'openai',
    paths: [
      'input_tokens',
      'output_tokens',
      'input_tokens_details.cached_tokens',
      'input_tokens_details.cache_write_tokens',
      'input_tokens_details.audio_tokens',
      'input_tokens_details.text_tokens',
      'input_tokens_details.image_tokens',
      'output_tokens_details.reasoning_tokens',
      'output_tokens_details.audio_tokens',
      'output_tokens_details.text_tokens',
    ],
    source: OPENAI_RESPONSES,
  },
  { family: 'openai', paths: ['output_tokens_details.image_tokens'], source: OPENAI_IMAGES },
  { family: 'openai', paths: ['seconds'], source: OPENAI_AUDIO },
  {
    family: 'openai',
    paths: [
      'input_token_details.cached_tokens',
      'input_token_details.text_tokens',
      'input_token_details.audio_tokens',
      'input_token_details.image_tokens',
      'input_token_details.cached_tokens_details.*',
      'output_token_details.text_tokens',
      'output_token_details.audio_tokens',
      'output_token_details.reasoning_tokens',
    ],
    source: OPENAI_REALTIME,
  },
  {
    family: 'openai',
    paths: [
      'cost',
      'cost_details.*',
      'prompt_tokens_details.video_tokens',
      'completion_tokens_details.video_tokens',
      'server_tool_use.web_search_requests',
    ],
    source: OPENROUTER_API,
  },
  {
    family: 'openai',
    paths: ['citation_tokens', 'num_search_queries', 'reasoning_tokens', 'cost.*'],
    source: PERPLEXITY_CHAT,
  },
  {
    family: 'openai',
    paths: [
      'num_sources_used',
      'cost_in_usd_ticks',
      'server_side_tool_usage.*',
      'num_server_side_tools_used',
    ],
    source: XAI_CHAT,
  },
  {
    family: 'openai',
    paths: ['queue_time', 'prompt_time', 'completion_time', 'total_time'],
    source: GROQ_CHAT,
  },
  {
    family: 'openai',
    paths: ['prompt_cache_hit_tokens', 'prompt_cache_miss_tokens'],
    source: DEEPSEEK_CHAT,
  },
  { family: 'openai', paths: ['cached_tokens'], source: MOONSHOT_CHAT },
  { family: 'openai', paths: ['prompt_audio_seconds', 'num_cached_tokens'], source: MISTRAL_CHAT },
  {
    family: 'openai',
    paths: [
      'plugins.search.count',
      'image_tokens',
      'video_tokens',
      'audio_tokens',
      'prompt_tokens_details.cache_creation_input_tokens',
      'prompt_tokens_details.cache_creation.*',
    ],
    source: QWEN_CHAT,
  },
  // Relays in front of Claude write its cache into the members of OpenAI.
  {
    family: 'openai',
    paths: [
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'cache_creation.*',
      'claude_cache_creation_5_m_tokens',
      'claude_cache_creation_1_h_tokens',
      'prompt_tokens_details.cached_creation_tokens',
      'prompt_tokens_details.cache_creation_tokens',
      'input_tokens_details.cached_creation_tokens',
      'input_tokens_details.cache_creation_tokens',
    ],
    source: ANTHROPIC_MESSAGES,
  },
  {
    family: 'anthropic',
    paths: [
      'input_tokens',
      'output_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'cache_creation.ephemeral_1h_input_tokens',
      'cache_creation.ephemeral_5m_input_tokens',
      'output_tokens_details.thinking_tokens',
      'server_tool_use.web_search_requests',
      'server_tool_use.web_fetch_requests',
      'server_tool_use.code_execution_requests',
    ],
    source: ANTHROPIC_MESSAGES,
  },
  // Steps of a call: compaction, advisors, attempts of further models.
  {
    family: 'anthropic',
    paths: [
      'iterations.input_tokens',
      'iterations.output_tokens',
      'iterations.cache_read_input_tokens',
      'iterations.cache_creation_input_tokens',
      'iterations.cache_creation.ephemeral_1h_input_tokens',
      'iterations.cache_creation.ephemeral_5m_input_tokens',
    ],
    source: ANTHROPIC_ADVISOR,
  },
  {
    family: 'gemini',
    paths: [
      'promptTokenCount',
      'toolUsePromptTokenCount',
      'candidatesTokenCount',
      'responseTokenCount',
      'thoughtsTokenCount',
      'cachedContentTokenCount',
      'totalTokenCount',
      'promptTokensDetails.tokenCount',
      'cacheTokensDetails.tokenCount',
      'candidatesTokensDetails.tokenCount',
      'responseTokensDetails.tokenCount',
      'toolUsePromptTokensDetails.tokenCount',
    ],
    source: GEMINI_GENERATE,
  },
  {
    family: 'converse',
    paths: [
      'inputTokens',
      'outputTokens',
      'totalTokens',
      'cacheReadInputTokens',
      'cacheWriteInputTokens',
      'cacheReadInputTokenCount',
      'cacheWriteInputTokenCount',
      'cacheDetails.inputTokens',
    ],
    source: BEDROCK_CONVERSE,
  },
  {
    family: 'cohere',
    paths: [
      'tokens.input_tokens',
      'tokens.output_tokens',
      'billed_units.input_tokens',
      'billed_units.output_tokens',
      'cached_tokens',
    ],
    source: COHERE_CHAT,
  },
]
