import { type BilledTokens, billTokens, PICTURE_UNITS } from './price-list.ts'

/** What a vendor did for one call. */
export interface VendorWork {
  readonly model: string
  /** Input that was read neither from nor into a cache. */
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
  readonly output: number
  /** Part of `output` that the caller does not see. */
  readonly reasoning: number
  /** Steps beside the answer, each with the model that made it. */
  readonly steps: readonly VendorStep[]
}

export interface VendorStep {
  readonly type: 'compaction' | 'advisor_message' | 'declined'
  readonly model: string
  readonly input: number
  readonly output: number
}

/** How a vendor reports its work, and what it bills for it, by its own document. */
export interface VendorRule {
  readonly name: string
  readonly document: string
  readonly date: string
  readonly usage: (work: VendorWork) => Record<string, unknown>
  readonly bill: (work: VendorWork) => bigint
}

const chat: VendorRule = {
  name: 'chat completions: cached tokens are part of the prompt, reasoning is part of the completion',
  document: 'https://platform.openai.com/docs/guides/prompt-caching',
  date: '2026-11-30',
  usage: ({ fresh, cacheRead, output, reasoning }) => ({
    prompt_tokens: fresh + cacheRead,
    completion_tokens: output,
    total_tokens: fresh + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }),
  bill: ({ model, fresh, cacheRead, output }) => billTokens([{ model, input: fresh, cacheRead, output }]),
}

const messages: VendorRule = {
  name: 'Messages: cached tokens stand beside the input; compaction and advisors are billed at their models, declined attempts are not',
  document: 'https://platform.claude.com/docs/en/build-with-claude/compaction',
  date: '2026-11-30',
  usage: (work) => ({
    input_tokens: work.fresh,
    output_tokens: work.output,
    cache_read_input_tokens: work.cacheRead,
    cache_creation_input_tokens: work.cacheWrite5m + work.cacheWrite1h,
    cache_creation: {
      ephemeral_5m_input_tokens: work.cacheWrite5m,
      ephemeral_1h_input_tokens: work.cacheWrite1h,
    },
    ...(work.steps.length > 0 && { iterations: listIterations(work) }),
  }),
  bill: (work) => {
    const { model, fresh, cacheRead, cacheWrite5m, cacheWrite1h, output } = work
    const answer: BilledTokens = { model, input: fresh, cacheRead, cacheWrite5m, cacheWrite1h, output }
    return billTokens([answer, ...work.steps.filter(({ type }) => type !== 'declined')])
  },
}

function listIterations(work: VendorWork): readonly Record<string, unknown>[] {
  const steps = work.steps.map(({ type, model, input, output }) => ({
    type: type === 'declined' ? 'message' : type,
    ...(type !== 'compaction' && { model }),
    input_tokens: input,
    output_tokens: output,
  }))
  const isFallback = work.steps.some(({ type }) => type === 'declined')
  const answer = {
    type: isFallback ? 'fallback_message' : 'message',
    ...(isFallback && { model: work.model }),
    input_tokens: work.fresh,
    output_tokens: work.output,
    cache_read_input_tokens: work.cacheRead,
    cache_creation_input_tokens: work.cacheWrite5m + work.cacheWrite1h,
  }
  return [...steps, answer]
}

const gemini: VendorRule = {
  name: 'Gemini: cached tokens are part of the prompt, thoughts stand beside the candidates',
  document: 'https://ai.google.dev/api/generate-content',
  date: '2026-11-30',
  usage: ({ fresh, cacheRead, output, reasoning }) => ({
    promptTokenCount: fresh + cacheRead,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: fresh + cacheRead + output,
  }),
  bill: ({ model, fresh, cacheRead, output }) => billTokens([{ model, input: fresh, cacheRead, output }]),
}

const pictures: VendorRule = {
  name: 'images: one price for a picture',
  document: 'https://platform.openai.com/docs/pricing',
  date: '2026-11-30',
  usage: () => ({}),
  bill: () => PICTURE_UNITS,
}

export const vendorRules = { chat, messages, gemini, pictures } as const
export type VendorName = keyof typeof vendorRules
