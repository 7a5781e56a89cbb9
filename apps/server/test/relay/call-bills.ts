import { answerChat, answerGemini, answerResponse, type Body, repeatItem } from './answer-bills.ts'

/**
 * Vendors that bill what they take beside tokens by their own documents. Nothing here comes from the gateway's own
 * tables: each rule has its figure and document, so that the two can be compared.
 */
export interface BilledCall {
  readonly path: string
  readonly body: Body
  readonly answer: Body
  /** What the vendor bills for 1,000 units, in dollars as its document prints them, and how many units. */
  readonly perThousand: string
  readonly units: number
}

export interface BillRule {
  /** The fee in the gateway's table that this rule is compared with. */
  readonly fee: string
  readonly channelType: number
  /** The model as the caller names it, and as the vendor does. */
  readonly model: string
  readonly vendorModel?: string
  readonly document: string
  readonly readOn: string
  /** A call that uses the paid thing `uses` times. */
  call(uses: number): BilledCall
}

export const chat = '/v1/chat/completions'
const responses = '/v1/responses'
export const asked = { messages: [{ role: 'user', content: 'x' }] }
export const OPENAI = 'https://platform.openai.com/docs/pricing'
export const XAI = 'https://docs.x.ai/developers/pricing.md'
export const PERPLEXITY = 'https://docs.perplexity.ai/getting-started/pricing'
export const OPENROUTER = 'https://openrouter.ai/announcements/introducing-web-search-via-the-api'
const readOn = '2026-11-30'

type Call = BillRule['call']

export function billResponses(tool: Body, item: string, perThousand: string): Call {
  return (uses) => ({
    path: responses,
    body: { input: 'x', tools: [tool] },
    answer: answerResponse(repeatItem(uses, item)),
    perThousand,
    units: uses,
  })
}

/** One container however often it runs. */
export function billContainer(tool: Body, item: string, units: number): Call {
  return (uses) => ({
    path: responses,
    body: { input: 'x', tools: [tool] },
    answer: answerResponse(repeatItem(uses, item, { container_id: 'cntr_1' })),
    perThousand: '30',
    units,
  })
}

export function billXai(tool: string, member: string, perThousand: string): Call {
  return (uses) => ({
    path: responses,
    body: { input: 'x', tools: [{ type: tool }] },
    // The answer shows fewer items than the vendor counted.
    answer: answerResponse([], { server_side_tool_usage_details: { [member]: uses } }),
    perThousand,
    units: uses,
  })
}

export function billPerplexity(size: string | undefined, perThousand: string): Call {
  return () => ({
    path: chat,
    body: {
      ...asked,
      ...(size !== undefined && { web_search_options: { search_context_size: size } }),
    },
    answer: answerChat({ search_context_size: size ?? 'low' }),
    perThousand,
    units: 1,
  })
}

export function billGemini(model: string, tool: string, perThousand: string): Call {
  const ground = tool === 'googleMaps' ? places : queries
  // Models before Gemini 3 are billed by the prompt, and maps always.
  const isByPrompt = model.startsWith('gemini-2') || tool === 'googleMaps'
  return (uses) => ({
    path: 'generate',
    body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }], tools: [{ [tool]: {} }] },
    answer: answerGemini(ground(uses), model),
    perThousand,
    units: isByPrompt ? 1 : uses,
  })
}

const queries = (uses: number): Body => ({
  webSearchQueries: Array.from({ length: uses }, (_, index) => `q${index}`),
})
const places = (): Body => ({ groundingChunks: [{ maps: { uri: 'https://maps.example', placeId: 'p' } }] })

export const rule = (
  fee: string,
  channelType: number,
  [model, vendorModel]: readonly [string, string?],
  document: string,
  call: Call,
): BillRule => ({
  fee,
  channelType,
  model,
  ...(vendorModel !== undefined && { vendorModel }),
  document,
  readOn,
  call,
})
