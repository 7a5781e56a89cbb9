import { acceptBothCases, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'

const messageMembers: readonly MemberRow[] = [
  ...defineRows('content', source.OPENAI_CHAT, 'type role name'),
  defineRow('content', 'content', source.OPENAI_CHAT, { inside: 'part' }),
  defineRow('output', 'content', source.OPENAI_RESPONSES, { inside: 'part' }),
  defineRow('audio', 'content', source.OPENAI_CHAT, { inside: 'audio' }),
  defineRow('tool_calls', 'content', source.OPENAI_CHAT, { inside: 'tool-call' }),
  defineRow('function_call', 'content', source.OPENAI_CHAT, { inside: 'called' }),
  defineRow('arguments', 'content', source.OPENAI_RESPONSES),
  defineRow('input', 'content', source.OPENAI_RESPONSES),
  defineRow('reasoning_content', 'content', source.DEEPSEEK_CHAT),
  defineRow('reasoning', 'content', source.OPENROUTER_API),
  defineRow('summary', 'content', source.OPENAI_RESPONSES, { inside: 'part' }),
  defineRow('refusal', 'content', source.OPENAI_CHAT),
  defineRow('id', 'content', source.OPENAI_RESPONSES),
  defineRow('encrypted_content', 'content', source.OPENAI_RESPONSES),
  ...defineRows('plain', source.OPENAI_CHAT, 'tool_call_id annotations weight phase'),
  ...defineRows(
    'plain',
    source.OPENAI_RESPONSES,
    `call_id status action actions results queries code container_id outputs server_label tools error
     approval_request_id approve reason acknowledged_safety_checks pending_safety_checks max_output_length
     operation result revised_prompt output_format background quality size namespace caller execution
     created_by stdout stderr commands timeout_ms environment diff path instructions`,
  ),
  ...defineRows('plain', source.ANTHROPIC_MESSAGES, 'cache_control stop_reason stop_sequence usage'),
  ...defineRows(
    'plain',
    source.OPENROUTER_API,
    'reasoning_details images tool_plan citations prefix partial extra_content thinking_blocks provider_specific_fields',
  ),
  ...defineRows('plain', source.GEMINI_OPENAI, 'thought_signature'),
  ...defineRows('plain', source.OLLAMA_CHAT, 'thinking tool_name'),
  ...defineRows(
    'plain',
    source.COZE_CHAT,
    'content_type meta_data metadata timestamp created_at createdAt created',
  ),
]

/** Messages, their parts and calls, in every dialect except Gemini. */
export const messageObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  message: messageMembers,
  /** An item of the Responses API, which may contain tools or another effort. */
  item: [
    defineRow('reasoning', 'limit', source.OPENAI_RESPONSES, { inside: 'item-reasoning' }),
    defineRow('tools', 'reaches', source.OPENAI_RESPONSES, { inside: 'tool' }),
    ...messageMembers.filter(({ name }) => name !== 'reasoning' && name !== 'tools'),
  ],
  'item-reasoning': [
    defineRow('effort', 'limit', source.OPENAI_RESPONSES),
    ...defineRows('plain', source.OPENAI_RESPONSES, 'summary context mode'),
  ],
  called: defineRows('content', source.OPENAI_CHAT, 'name arguments input').concat(
    defineRows('plain', source.GEMINI_OPENAI, 'thought_signature'),
  ),
  'tool-call': [
    defineRow('type', 'content', source.OPENAI_CHAT),
    defineRow('function', 'content', source.OPENAI_CHAT, { inside: 'called' }),
    defineRow('custom', 'content', source.OPENAI_CHAT, { inside: 'called' }),
    ...defineRows(
      'plain',
      source.OPENAI_CHAT,
      'id index extra_content thought_signature provider_specific_fields',
    ),
  ],
  source: [
    ...defineRows('content', source.ANTHROPIC_MESSAGES, 'type media_type data text url file_id'),
    defineRow('content', 'content', source.ANTHROPIC_MESSAGES, { inside: 'part' }),
  ],
  part: [
    ...defineRows(
      'content',
      source.OPENAI_CHAT,
      'type text thinking reasoning refusal data encrypted_content image',
    ),
    defineRow('content', 'content', source.ANTHROPIC_MESSAGES, { inside: 'part' }),
    defineRow('source', 'content', source.ANTHROPIC_MESSAGES, { inside: 'source' }),
    defineRow('image_url', 'content', source.OPENAI_CHAT, { inside: 'image-address' }),
    defineRow('detail', 'content', source.OPENAI_RESPONSES),
    defineRow('input_audio', 'content', source.OPENAI_CHAT, { inside: 'input-audio' }),
    defineRow('audio_url', 'content', source.QWEN_CHAT, { inside: 'address' }),
    defineRow('audio', 'content', source.OPENAI_REALTIME, { inside: 'audio' }),
    defineRow('video_url', 'content', source.QWEN_CHAT, { inside: 'address' }),
    defineRow('video', 'content', source.QWEN_CHAT),
    defineRow('file', 'content', source.OPENAI_CHAT, { inside: 'file' }),
    defineRow('image_file', 'content', source.OPENAI_CHAT, { inside: 'file' }),
    defineRow('document_url', 'content', source.MISTRAL_CHAT),
    ...defineRows('content', source.OPENAI_RESPONSES, 'file_id file_url filename'),
    defineRow('file_data|fileData', 'content', source.OPENAI_RESPONSES, { inside: 'gemini-file' }),
    defineRow('inline_data|inlineData', 'content', source.GEMINI_GENERATE, { inside: 'gemini-data' }),
    defineRow('parts', 'content', source.GEMINI_EMBED, { inside: 'part' }),
    ...defineRows('plain', source.OPENAI_CHAT, 'annotations logprobs transcript prompt_cache_breakpoint'),
    ...defineRows(
      'plain',
      source.ANTHROPIC_MESSAGES,
      `cache_control citations title context id name input tool_use_id is_error signature caller server_name
       retrieved_at error_code stdout stderr return_code file_type lines num_lines start_line total_lines
       page_age url old_lines new_lines old_start new_start tool_references tool_name cited_text from to`,
    ),
    ...defineRows(
      'plain',
      source.OPENROUTER_API,
      `cache_type min_pixels max_pixels total_pixels fps format extra_content thought_signature toolName
       providerOptions mime_type media_type summary status call_id output arguments role index`,
    ),
  ],
  'image-address': defineRows('content', source.OPENAI_CHAT, 'url detail').concat(
    defineRows('plain', source.VOLCANO_CHAT, 'format mime_type image_pixel_limit fps'),
  ),
  'input-audio': defineRows('content', source.OPENAI_CHAT, 'data format').concat(
    defineRows('plain', source.VOLCANO_CHAT, 'url'),
  ),
  address: defineRows('content', source.QWEN_CHAT, 'url').concat(
    defineRows('plain', source.VOLCANO_CHAT, 'fps format max_frames min_frames detail'),
  ),
  file: defineRows('content', source.OPENAI_CHAT, 'file_id file_data file_url filename').concat(
    defineRows('plain', source.OPENAI_CHAT, 'detail mime_type format'),
  ),
  'gemini-file': acceptBothCases(defineRows('content', source.GEMINI_GENERATE, 'mimeType fileUri')).concat(
    acceptBothCases(defineRows('plain', source.GEMINI_GENERATE, 'displayName')),
  ),
  'gemini-data': acceptBothCases(defineRows('content', source.GEMINI_GENERATE, 'mimeType data')).concat(
    acceptBothCases(defineRows('plain', source.GEMINI_GENERATE, 'displayName')),
  ),
}
