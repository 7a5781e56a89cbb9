import { composeRows, defineRow, defineRows } from '../define-rows.ts'
import type { MemberRow } from '../member-row.ts'
import * as source from '../member-sources.ts'
import { answeringMembers, tuningMembers } from './answering-members.ts'
import {
  commonMembers,
  mergedMembers,
  namingMembers,
  reachingMembers,
  routingMembers,
} from './common-members.ts'

const provider = defineRow('provider', 'narrows', source.OPENROUTER_PROVIDER, { inside: 'provider' })

/** Bodies of conversations in the dialects of OpenAI and Anthropic. */
export const conversationObjects: Readonly<Record<string, readonly MemberRow[]>> = {
  chat: composeRows(
    commonMembers,
    reachingMembers,
    [
      defineRow('tools', 'reaches', source.OPENAI_CHAT, { inside: 'tool' }),
      ...answeringMembers,
      defineRow('messages', 'content', source.OPENAI_CHAT, { inside: 'message' }),
      defineRow('prediction', 'content', source.OPENAI_CHAT, { inside: 'prediction' }),
      defineRow('data_sources', 'reaches', source.AZURE_CHAT),
      provider,
    ],
    namingMembers,
    routingMembers,
    mergedMembers,
    tuningMembers,
    defineRows('plain', source.OPENROUTER_API, 'prompt'),
    defineRows('plain', source.OPENAI_RESPONSES, 'input instructions text truncation include'),
    defineRows('plain', source.ANTHROPIC_MESSAGES, 'output_config betas anthropic_beta anthropic_version'),
  ),
  messages: composeRows(
    commonMembers,
    reachingMembers,
    [
      defineRow('tools', 'reaches', source.ANTHROPIC_MESSAGES, { inside: 'tool' }),
      defineRow('messages', 'content', source.ANTHROPIC_MESSAGES, { inside: 'message' }),
      defineRow('system', 'content', source.ANTHROPIC_MESSAGES, { inside: 'part' }),
      defineRow('max_tokens', 'limit', source.ANTHROPIC_MESSAGES),
      defineRow('thinking', 'limit', source.ANTHROPIC_MESSAGES, { inside: 'thinking' }),
      defineRow('output_config', 'limit', source.ANTHROPIC_MESSAGES, { inside: 'output-config' }),
      provider,
    ],
    defineRows(
      'plain',
      source.ANTHROPIC_MESSAGES,
      `tool_choice stop_sequences temperature top_p top_k metadata output_format betas anthropic_beta
       anthropic_version cache_control diagnostics user_profile_id custom_betas`,
    ),
    namingMembers,
    routingMembers,
    mergedMembers,
    tuningMembers,
  ),
  responses: composeRows(
    commonMembers,
    reachingMembers,
    [
      defineRow('tools', 'reaches', source.OPENAI_RESPONSES, { inside: 'tool' }),
      ...answeringMembers,
      defineRow('input', 'content', source.OPENAI_RESPONSES, { inside: 'item' }),
      defineRow('instructions', 'content', source.OPENAI_RESPONSES, { inside: 'message' }),
      defineRow('text', 'content', source.OPENAI_RESPONSES),
      defineRow('max_tool_calls', 'limit', source.OPENAI_RESPONSES),
      defineRow('prompt', 'reaches', source.OPENAI_RESPONSES),
      defineRow('background', 'reaches', source.OPENAI_RESPONSES),
      provider,
    ],
    defineRows(
      'plain',
      source.OPENAI_RESPONSES,
      `include truncation client_metadata stream_id generate event_id type response_include multi_agent
       personality local_shell status`,
    ),
    namingMembers,
    routingMembers,
    mergedMembers,
    tuningMembers,
  ),
  completions: composeRows(
    commonMembers,
    [
      defineRow('prompt', 'content', source.OPENAI_COMPLETIONS),
      defineRow('suffix', 'content', source.OPENAI_COMPLETIONS),
      ...defineRows('limit', source.OPENAI_COMPLETIONS, 'n best_of max_tokens max_completion_tokens'),
      defineRow('stream_options', 'content', source.OPENAI_COMPLETIONS, { inside: 'stream-options' }),
      provider,
    ],
    namingMembers,
    routingMembers,
    mergedMembers,
    tuningMembers,
  ),
  search: composeRows(
    commonMembers,
    [
      defineRow('input', 'content', source.OPENAI_RESPONSES, { inside: 'message' }),
      defineRow('commands', 'content', source.OPENAI_RESPONSES),
      defineRow('max_output_tokens', 'limit', source.OPENAI_RESPONSES),
    ],
    defineRows('plain', source.OPENAI_RESPONSES, 'id prompt_cache_key include settings query instructions'),
    namingMembers,
    routingMembers,
    mergedMembers,
    tuningMembers,
  ),
}
