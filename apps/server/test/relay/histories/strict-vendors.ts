import * as chatRules from './strict-chat.ts'
import * as messageRules from './strict-messages.ts'
import * as otherRules from './strict-others.ts'
import { type StrictRule, wholeTexts } from './strict-rules.ts'

const rule = { ...chatRules, ...messageRules, ...otherRules, wholeTexts }

/** A vendor as a channel knows it, and what it refuses in each wire format. */
export interface StrictVendor {
  readonly name: string
  readonly type: number
  readonly key: string
  readonly model: string
  /** The last one whose pattern matches the path of a request answers it. */
  readonly formats: readonly StrictFormat[]
  /** Answers whole requests only, because its streams are not server-sent events. */
  readonly isWhole?: true
}

export interface StrictFormat {
  readonly path: RegExp
  readonly wire: 'chat' | 'messages' | 'responses' | 'gemini' | 'converse'
  readonly rules: readonly StrictRule[]
}

const OPENAI_DOCS = 'https://platform.openai.com/docs/api-reference/chat/create'
const CHAT = [rule.wholeTexts, rule.chatResults, rule.chatTools]
const CLAUDE = [rule.wholeTexts, rule.claudeResults, rule.claudeIds, rule.claudeTools, rule.claudeTexts]
const CHAT_PATH = /\/chat\/completions/
const MESSAGES_PATH = /\/messages/

const BEDROCK_BETAS =
  'computer-use-2024-10-22 computer-use-2025-01-24 context-1m-2025-08-07 context-management-2025-06-27 fine-grained-tool-streaming-2025-05-14 interleaved-thinking-2025-05-14 output-128k-2025-02-19 token-efficient-tools-2025-02-19'

function chat(...rules: readonly StrictRule[]): StrictFormat {
  return { path: CHAT_PATH, wire: 'chat', rules: [...CHAT, ...rules] }
}

/** Vendors with Anthropic's format beside their own; they check structure, and no signatures. */
const compatibleMessages: StrictFormat = {
  path: MESSAGES_PATH,
  wire: 'messages',
  rules: [rule.wholeTexts, rule.claudeResults],
}

const openaiChat = chat(
  rule.memberLimit('user', 64, 'https://github.com/looplj/axonhub/issues/1669'),
  rule.memberLimit('safety_identifier', 64, 'https://github.com/looplj/axonhub/issues/1669'),
  rule.memberLimit('prompt_cache_key', 64, OPENAI_DOCS),
  rule.stopLimit(4, OPENAI_DOCS),
)
/** OpenAI's own hosts have this limit too; a fake cannot stand at their addresses. */
const azureChat: StrictFormat = {
  ...openaiChat,
  rules: [
    ...openaiChat.rules,
    rule.chatIds(40, 'https://github.com/microsoft/autogen/issues/6377', '2025-04-23'),
  ],
}
const openaiResponses: StrictFormat = {
  path: /\/responses/,
  wire: 'responses',
  rules: [
    rule.wholeTexts,
    rule.responseItems,
    rule.responseSeals('sealed-by-this-account'),
    rule.responseTools,
    rule.memberLimit('user', 64, 'https://github.com/maximhq/bifrost/issues/1000'),
    rule.memberLimit('safety_identifier', 64, 'https://github.com/maximhq/bifrost/issues/1000'),
    rule.memberLimit('prompt_cache_key', 64, OPENAI_DOCS),
  ],
}

const azureResponses: StrictFormat = {
  ...openaiResponses,
  rules: [...openaiResponses.rules, rule.responseIds],
}

export const strictVendors: readonly StrictVendor[] = [
  { name: 'OpenAI chat', type: 1, key: 'sk-1', model: 'gpt-4o', formats: [openaiChat, openaiResponses] },
  {
    name: 'Azure Responses',
    type: 3,
    key: 'az-2',
    model: 'gpt-5.3-codex',
    formats: [azureChat, azureResponses],
  },
  { name: 'Azure', type: 3, key: 'az-1', model: 'gpt-4.1', formats: [azureChat, azureResponses] },
  {
    name: 'Anthropic',
    type: 14,
    key: 'sk-ant-1',
    model: 'claude-sonnet-5',
    formats: [
      {
        path: MESSAGES_PATH,
        wire: 'messages',
        rules: [...CLAUDE, rule.claudeSignatures('own'), rule.noPrefill],
      },
    ],
  },
  {
    name: 'Gemini',
    type: 24,
    key: 'AIza-1',
    model: 'gemini-3-pro-preview',
    formats: [
      {
        path: /generateContent/i,
        wire: 'gemini',
        rules: [rule.wholeTexts, rule.geminiTurns, rule.geminiSignatures('own'), rule.geminiTools],
      },
    ],
  },
  {
    name: 'Bedrock Claude',
    type: 33,
    key: 'AKID|secret|us-east-1',
    model: 'claude-sonnet-4-5-20250929',
    isWhole: true,
    formats: [
      {
        path: /\/invoke/,
        wire: 'messages',
        rules: [
          ...CLAUDE,
          rule.claudeSignatures('own'),
          rule.claudeExtras(BEDROCK_BETAS, (body) =>
            [body['anthropic_beta']]
              .flat()
              .filter((beta) => typeof beta === 'string')
              .join(','),
          ),
        ],
      },
    ],
  },
  {
    name: 'Bedrock Converse',
    type: 33,
    key: 'AKID|secret|us-east-1',
    model: 'llama3-3-70b-instruct-v1:0',
    isWhole: true,
    formats: [{ path: /\/converse/, wire: 'converse', rules: [rule.wholeTexts, rule.converseTurns] }],
  },
  {
    name: 'DeepSeek',
    type: 43,
    key: 'ds-1',
    model: 'deepseek-v4-pro',
    formats: [
      compatibleMessages,
      chat(
        rule.reasoningBack(true, 'https://github.com/NousResearch/hermes-agent/issues/15353'),
        rule.roles(
          'system user assistant tool',
          'https://github.com/earendil-works/pi/issues/1048',
          '2026-01-20',
        ),
        rule.stopLimit(16, 'https://api-docs.deepseek.com/api/create-chat-completion'),
      ),
    ],
  },
  {
    name: 'Moonshot',
    type: 25,
    key: 'ms-1',
    model: 'kimi-k2.5',
    formats: [
      compatibleMessages,
      chat(
        rule.reasoningBack(false, 'https://github.com/QuantumNous/new-api/issues/4497'),
        rule.stopLimit(5, 'https://platform.moonshot.cn/docs/api/chat'),
      ),
    ],
  },
  {
    name: 'Zhipu',
    type: 26,
    key: 'id.secret',
    model: 'glm-4.6v',
    formats: [
      compatibleMessages,
      chat(
        rule.memberLimit('user_id', 128, 'https://docs.bigmodel.cn/api-reference', 6),
        rule.stopLimit(1, 'https://docs.bigmodel.cn/api-reference'),
        rule.onlyMembers(
          'model stream stream_options messages temperature top_p max_tokens stop tools tool_choice thinking response_format do_sample user_id request_id tool_stream',
          'https://docs.bigmodel.cn/api-reference',
        ),
      ),
    ],
  },
  {
    name: 'Qwen',
    type: 17,
    key: 'qw-1',
    model: 'qwen3-vl-plus',
    formats: [
      compatibleMessages,
      chat(rule.memberLimit('user', 128, 'https://github.com/looplj/axonhub/issues/1669')),
      openaiResponses,
    ],
  },
  {
    name: 'Mistral',
    type: 42,
    key: 'mi-1',
    model: 'mistral-large-latest',
    formats: [
      chat(
        rule.nineLetters,
        rule.mistralOrder,
        rule.onlyMembers(
          'model messages stream temperature top_p max_tokens stop random_seed metadata response_format tools tool_choice presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode reasoning_effort safe_prompt guardrails prompt_cache_key',
          'https://docs.mistral.ai/api',
        ),
      ),
    ],
  },
  {
    name: 'xAI',
    type: 48,
    key: 'xai-1',
    model: 'grok-4',
    formats: [chat(), { ...openaiResponses, rules: [rule.wholeTexts, rule.responseItems] }],
  },
  {
    name: 'OpenRouter',
    type: 20,
    key: 'or-1',
    model: 'qwen/qwen3-vl-235b',
    formats: [
      { ...compatibleMessages, rules: [rule.wholeTexts, rule.claudeResults] },
      chat(
        rule.memberLimit(
          'user',
          128,
          'https://openrouter.ai/docs/api/api-reference/anthropic-messages/create-messages',
        ),
      ),
    ],
  },
  {
    name: 'Volcano',
    type: 45,
    key: 'vo-1',
    model: 'doubao-seed-1-6-vision',
    formats: [
      compatibleMessages,
      chat(rule.memberLimit('user', 128, 'https://github.com/looplj/axonhub/issues/1669')),
      openaiResponses,
    ],
  },
  {
    name: 'MiniMax',
    type: 35,
    key: 'mm-1',
    model: 'MiniMax-M2',
    formats: [compatibleMessages, { path: /chatcompletion|chat\/completions/, wire: 'chat', rules: CHAT }],
  },
  {
    name: 'SiliconFlow',
    type: 40,
    key: 'sf-1',
    model: 'Qwen/Qwen3-VL-32B',
    formats: [compatibleMessages, chat()],
  },
  { name: 'Baidu', type: 46, key: 'bd-1', model: 'ernie-4.5-turbo-vl', formats: [chat()] },
  { name: 'Xinference', type: 47, key: 'xi-1', model: 'qwen3-vl', formats: [chat()] },
  {
    name: 'self-hosted',
    type: 8,
    key: 'vl-1',
    model: 'mistral-small-3.2',
    formats: [chat(rule.nineLetters, rule.mistralOrder)],
  },
]
