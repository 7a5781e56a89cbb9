import { defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'

/** Members that bound the output of a conversation or set its kind. */
export const answeringMembers: readonly MemberRow[] = [
  defineRow('max_tokens', 'limit', source.OPENAI_CHAT),
  defineRow('max_completion_tokens', 'limit', source.OPENAI_CHAT),
  defineRow('max_output_tokens', 'limit', source.OPENAI_RESPONSES),
  defineRow('n', 'limit', source.OPENAI_CHAT),
  defineRow('modalities', 'priced', source.OPENAI_CHAT),
  defineRow('audio', 'priced', source.OPENAI_CHAT, { inside: 'audio' }),
  defineRow('reasoning_effort', 'content', source.OPENAI_CHAT),
  defineRow('reasoning', 'limit', source.OPENROUTER_API, { inside: 'reasoning' }),
  defineRow('thinking', 'limit', source.ANTHROPIC_MESSAGES, { inside: 'thinking' }),
  defineRow('enable_thinking', 'limit', source.QWEN_CHAT),
  defineRow('thinking_budget', 'limit', source.QWEN_CHAT),
  defineRow('response_format', 'content', source.OPENAI_CHAT),
  defineRow('stream_options', 'content', source.OPENAI_CHAT, { inside: 'stream-options' }),
]

export const answeringObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  'stream-options': [
    defineRow('include_usage', 'content', source.OPENAI_CHAT),
    ...defineRows(
      'plain',
      source.OPENAI_CHAT,
      'include_obfuscation continuous_usage_stats chunk_include_usage',
    ),
  ],
  thinking: [
    defineRow('type', 'limit', source.ANTHROPIC_MESSAGES),
    defineRow('budget_tokens', 'limit', source.ANTHROPIC_MESSAGES),
    ...defineRows('plain', source.ANTHROPIC_MESSAGES, 'display effort include_thoughts clear_thinking'),
  ],
  reasoning: [
    ...defineRows('limit', source.OPENROUTER_API, 'effort max_tokens enabled'),
    ...defineRows('content', source.OPENAI_RESPONSES, 'exclude summary'),
    ...defineRows('plain', source.OPENAI_RESPONSES, 'generate_summary context mode'),
  ],
  audio: [
    ...defineRows('priced', source.OPENAI_CHAT, 'id data format voice'),
    ...defineRows('plain', source.OPENAI_CHAT, 'transcript expires_at sample_rate speed'),
  ],
  prediction: [
    defineRow('type', 'content', source.OPENAI_CHAT),
    defineRow('content', 'content', source.OPENAI_CHAT, { inside: 'part' }),
  ],
  'output-config': [
    defineRow('effort', 'limit', source.ANTHROPIC_MESSAGES),
    ...defineRows('plain', source.ANTHROPIC_MESSAGES, 'format task_budget'),
  ],
}

/** Sampling and other members that change neither the price nor what is read. */
export const tuningMembers: readonly MemberRow[] = [
  ...defineRows(
    'plain',
    source.OPENAI_CHAT,
    `temperature top_p stop frequency_penalty presence_penalty logit_bias logprobs top_logprobs seed user metadata
     tool_choice function_call parallel_tool_calls verbosity prompt_cache_key prompt_cache_retention
     prompt_cache_options moderation`,
  ),
  ...defineRows(
    'plain',
    source.OPENROUTER_API,
    `top_k top_a min_p repetition_penalty transforms structured_outputs include_reasoning session_id trace usage
     image_config debug cache_control zdr stop_server_tools_when x_title`,
  ),
  ...defineRows(
    'plain',
    source.VLLM_SERVER,
    `best_of use_beam_search length_penalty stop_token_ids include_stop_str_in_output ignore_eos min_tokens
     skip_special_tokens spaces_between_special_tokens truncate_prompt_tokens prompt_logprobs allowed_token_ids
     bad_words echo add_generation_prompt continue_final_message add_special_tokens chat_template
     chat_template_kwargs mm_processor_kwargs guided_json guided_regex guided_choice guided_grammar
     guided_decoding_backend guided_whitespace_pattern priority request_id logits_processors return_tokens_as_token_ids
     return_token_ids cache_salt kv_transfer_params vllm_xargs repetition_detection regex ebnf json_schema
     separate_reasoning stream_reasoning lora_path rid no_stop_trim skip_tokenizer_init`,
  ),
  ...defineRows(
    'plain',
    source.LLAMA_SERVER,
    `dynatemp_range dynatemp_exponent typical_p mirostat mirostat_tau mirostat_eta grammar cache_prompt id_slot
     n_keep n_probs t_max_predict_ms samplers timings_per_token reasoning_format xtc_probability xtc_threshold
     dry_multiplier dry_base dry_allowed_length dry_penalty_last_n dry_sequence_breakers tfs_z ignore_eos_token
     post_sampling_probs repeat_penalty repeat_last_n`,
  ),
  ...defineRows('plain', source.OLLAMA_CHAT, 'format keep_alive think raw suffix template images'),
  ...defineRows(
    'plain',
    source.MISTRAL_CHAT,
    'random_seed safe_prompt prompt_mode stop_sequences guardrails',
  ),
  ...defineRows('plain', source.DEEPSEEK_CHAT, 'prefix thinking_mode user_id'),
  ...defineRows('plain', source.MOONSHOT_CHAT, 'partial prompt_cache cache_tag preserve_thinking'),
  ...defineRows(
    'plain',
    source.QWEN_CHAT,
    `incremental_output result_format vl_high_resolution_images translation_options asr_options skill
     data_inspection search_options tool_stream stream_output output_format return_citations
     enable_citation citation_format max_input_tokens preserve_thinking_blocks`,
  ),
  ...defineRows(
    'plain',
    source.ZHIPU_CHAT,
    'do_sample sensitive_word_check request_body_id meta watermark_enabled tool_calls_stream',
  ),
  ...defineRows(
    'plain',
    source.BAIDU_CHAT,
    `penalty_score disable_search enable_trace enable_user_memory system user_ip citation search_filter
     enable_citations response_options`,
  ),
  ...defineRows(
    'plain',
    source.HUNYUAN_CHAT,
    'enable_deep_search enable_multimedia search_info force_search_enhancement',
  ),
  ...defineRows('plain', source.VOLCANO_CHAT, 'encryption_info caching expire_at max_tool_calls context_id'),
  ...defineRows(
    'plain',
    source.MINIMAX_CHAT,
    'mask_sensitive_info reasoning_split tokens_to_generate reply_constraints',
  ),
  ...defineRows(
    'plain',
    source.GROQ_CHAT,
    'citation_options disable_tool_validation search_settings exclude_domains include_domains include_images',
  ),
  ...defineRows(
    'plain',
    source.TOGETHER_CHAT,
    'context_length_exceeded_behavior safety_model compliance hide_thinking',
  ),
  ...defineRows(
    'plain',
    source.FIREWORKS_CHAT,
    `prompt_truncate_len prompt_truncate_length speculation return_completion_token_ids raw_output perf_metrics_in_response
     mirostat_target mirostat_lr prompt_cache_isolation_key top_k_tokens reasoning_history ignore_chat_template`,
  ),
  ...defineRows('plain', source.XAI_CHAT, 'deferred use_encrypted_content prompt_cache_ttl'),
  ...defineRows(
    'plain',
    source.PERPLEXITY_CHAT,
    `search_mode search_domain_filter search_recency_filter search_after_date_filter search_before_date_filter
     last_updated_after_filter last_updated_before_filter return_images return_related_questions image_format_filter
     image_domain_filter disable_search_field enable_search_classifier media_response language_preference
     search_language_filter stream_mode num_search_results num_images return_videos return_search_results
     search_context_size updated_after_filter updated_before_filter`,
  ),
  ...defineRows(
    'plain',
    source.COHERE_CHAT,
    'safety_mode citation_quality strict_tools k p preamble chat_history message prompt_truncation raw_prompting force_single_step',
  ),
  ...defineRows('plain', source.GEMINI_OPENAI, 'extra_content safety_settings'),
  ...defineRows(
    'plain',
    source.LITELLM_INPUT,
    'timeout num_retries request_timeout tags drop_params additional_drop_params allowed_openai_params cache caching_groups ttl no_log litellm_metadata stream_timeout max_retries',
  ),
  ...defineRows('plain', source.AZURE_CHAT, 'user_security_context'),
  ...defineRows('plain', source.SILICONFLOW_API, 'enable_thinking_mode min_new_tokens'),
]
