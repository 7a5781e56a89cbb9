/** Answers of vendors that tests play, each with the same tokens. Nothing here comes from the gateway's own tables. */

export type Body = Readonly<Record<string, unknown>>

/** Tokens of every call: 1,000 in and 10 out. */
export const TOKENS = { input: 1_000, output: 10 }

const chatUsage = { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: 1_010 }
const otherUsage = { input_tokens: TOKENS.input, output_tokens: TOKENS.output, total_tokens: 1_010 }

export function answerChat(usage: Body = {}, message: Body = { content: 'ok' }, beside: Body = {}): Body {
  const finish = message['tool_calls'] === undefined ? 'stop' : 'tool_calls'
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }]
  const head = { id: 'c', object: 'chat.completion', created: 1, model: 'm' }
  return { ...head, choices, usage: { ...chatUsage, ...usage }, ...beside }
}

export function answerResponse(items: readonly Body[], usage: Body = {}): Body {
  const content = [{ type: 'output_text', text: 'ok', annotations: [] }]
  const said = { type: 'message', id: 'said', role: 'assistant', status: 'completed', content }
  const head = { id: 'r', object: 'response', created_at: 1, status: 'completed', model: 'm' }
  return { ...head, output: [...items, said], usage: { ...otherUsage, ...usage } }
}

export function answerMessage(usage: Body): Body {
  const head = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' }
  const { input_tokens: input, output_tokens: output } = otherUsage
  return {
    ...head,
    content: [{ type: 'text', text: 'ok' }],
    usage: { input_tokens: input, output_tokens: output, ...usage },
  }
}

export function answerGemini(grounding: Body, modelVersion: string): Body {
  const content = { role: 'model', parts: [{ text: 'ok' }] }
  const candidates = [{ index: 0, content, finishReason: 'STOP', groundingMetadata: grounding }]
  const usageMetadata = { promptTokenCount: TOKENS.input, candidatesTokenCount: TOKENS.output }
  return { candidates, usageMetadata, modelVersion }
}

export function repeatItem(uses: number, type: string, more: Body = {}): readonly Body[] {
  return Array.from({ length: uses }, (_, index) => ({
    id: `i${index}`,
    type,
    status: 'completed',
    ...more,
  }))
}

export function callFunctions(name: string, uses: number): readonly Body[] {
  const call = { type: 'builtin_function', function: { name, arguments: '{}' } }
  return Array.from({ length: uses }, (_, index) => ({ ...call, id: `c${index}`, index }))
}
