import type { LimitedWire, LimitSubject, StringLimit } from './string-limit.ts'

const OPENAI_IDS = {
  url: 'https://platform.openai.com/docs/api-reference/chat/create#chat_create-safety_identifier',
  date: '2026-11-29',
}
const UNPLAIN = /[^a-zA-Z0-9_-]/

/** The first row that fits decides, so a vendor's own rows stand before those of its format. */
export const stringLimits: readonly StringLimit[] = [
  {
    subject: 'user-id',
    wires: ['openai', 'responses', 'messages'],
    providers: ['zhipu', 'volcano', 'qwen'],
    charactersMin: 6,
    charactersMax: 128,
    source: { url: 'https://docs.bigmodel.cn/api-reference', date: '2026-11-29' },
  },
  // The vendor's documents named 128 first and 256 later, so the smaller one is kept.
  {
    subject: 'user-id',
    wires: ['openai', 'responses', 'messages'],
    providers: ['openrouter'],
    charactersMax: 128,
    source: {
      url: 'https://openrouter.ai/docs/api/api-reference/anthropic-messages/create-messages',
      date: '2026-11-29',
    },
  },
  {
    subject: 'user-id',
    wires: ['messages'],
    charactersMax: 256,
    source: { url: 'https://docs.anthropic.com/en/api/messages', date: '2026-11-29' },
  },
  {
    subject: 'user-id',
    wires: ['openai', 'responses'],
    providers: ['openai', 'azure', 'codex'],
    charactersMax: 64,
    source: OPENAI_IDS,
  },
  {
    subject: 'user-id',
    wires: ['openai', 'responses'],
    isForConversions: true,
    charactersMax: 64,
    source: OPENAI_IDS,
  },
  {
    subject: 'cache-key',
    wires: ['openai', 'responses'],
    providers: ['openai', 'azure', 'codex'],
    charactersMax: 64,
    source: OPENAI_IDS,
  },
  {
    subject: 'cache-key',
    wires: ['openai', 'responses'],
    isForConversions: true,
    charactersMax: 64,
    source: OPENAI_IDS,
  },
  {
    subject: 'call-id',
    wires: ['openai'],
    providers: ['mistral'],
    charactersMin: 9,
    charactersMax: 9,
    refused: /[^a-zA-Z0-9]/,
    source: { url: 'https://docs.mistral.ai/api', date: '2026-11-29' },
  },
  // The templates of these models check the ids, so every server that runs them refuses others.
  {
    subject: 'call-id',
    wires: ['openai'],
    models: /(?:^|\/)(?:open-)?(?:mistral|mixtral|ministral|magistral|devstral|codestral|pixtral|voxtral)/i,
    charactersMin: 9,
    charactersMax: 9,
    refused: /[^a-zA-Z0-9]/,
    source: { url: 'https://docs.mistral.ai/api', date: '2026-11-29' },
  },
  {
    subject: 'call-id',
    wires: ['openai'],
    providers: ['openai-host', 'azure'],
    charactersMax: 40,
    source: { url: 'https://github.com/microsoft/autogen/issues/6377', date: '2025-04-23' },
  },
  {
    subject: 'call-id',
    wires: ['responses'],
    providers: ['openai-host', 'azure', 'codex'],
    charactersMax: 64,
    source: { url: 'https://github.com/AnswerDotAI/fastllm/issues/45', date: '2026-06-08' },
  },
  {
    subject: 'call-id',
    wires: ['responses'],
    isForConversions: true,
    charactersMax: 64,
    source: { url: 'https://github.com/decolua/9router/issues/393', date: '2026-03-23' },
  },
  {
    subject: 'call-id',
    wires: ['messages'],
    providers: ['anthropic', 'bedrock', 'vertex'],
    charactersMax: 64,
    refused: UNPLAIN,
    source: { url: 'https://docs.anthropic.com/en/api/messages', date: '2026-11-29' },
  },
  {
    subject: 'call-id',
    wires: ['messages'],
    isForConversions: true,
    charactersMax: 64,
    refused: UNPLAIN,
    source: { url: 'https://docs.anthropic.com/en/api/messages', date: '2026-11-29' },
  },
  {
    subject: 'call-id',
    wires: ['converse'],
    charactersMax: 64,
    refused: UNPLAIN,
    source: {
      url: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html',
      date: '2026-11-29',
    },
  },
]

/** The upstream of one request, as far as limits depend on it. */
export interface LimitedUpstream {
  readonly wire: LimitedWire
  readonly provider: string
  /** Whether the address is one of OpenAI's or Azure's own. */
  readonly isOpenAiHost: boolean
  readonly isConverted: boolean
  readonly model: string
}

/** Finds the limit of one text; `undefined` where none is known. */
export function findStringLimit(subject: LimitSubject, upstream: LimitedUpstream): StringLimit | undefined {
  return stringLimits.find((row) => row.subject === subject && isLimited(row, upstream))
}

function isLimited(row: StringLimit, upstream: LimitedUpstream): boolean {
  const { wires, providers, models, isForConversions = false } = row
  if (!wires.includes(upstream.wire) || (isForConversions && !upstream.isConverted)) return false
  if (models !== undefined && !models.test(upstream.model)) return false
  if (providers === undefined) return true
  return providers.includes(upstream.provider) || (upstream.isOpenAiHost && providers.includes('openai-host'))
}
