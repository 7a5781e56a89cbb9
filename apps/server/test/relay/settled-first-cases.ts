import type { NewChannel } from '@tollgate/store/channels/channels'
import type { SendInput } from './send.ts'

/** A conversation in the dialect of a caller, over an upstream of the same dialect or of another. */
export interface ConversationCase {
  readonly name: string
  readonly channel: Partial<NewChannel>
  readonly send: (isStream: boolean, bearer: string) => SendInput
  /** The upstream's frames; those of the text contain "there". */
  readonly text: readonly string[]
  readonly end: readonly string[]
  /** Texts that occur only in the caller's frames from the finish reason on. */
  readonly marks: readonly string[]
  /** Whether the caller gets the upstream's bytes. */
  readonly isSame: boolean
  /** The upstream's whole answer. */
  readonly whole: unknown
}

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const named = (value: { readonly type: string } & Readonly<Record<string, unknown>>) =>
  `event: ${value.type}\n${event(value)}`
const messages = [{ role: 'user', content: 'hi' }]
const CLAUDE = 'claude-haiku-4-5-20251001'
const GEMINI = 'gemini-2.5-flash'

const chunk = (parts: object) =>
  event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', ...parts })
export const CHAT_END = 'data: [DONE]\n\n'

const chat = {
  channel: { type: 42, models: 'gpt-4o' },
  text: ['hello', ' there'].map((content) => chunk({ choices: [{ index: 0, delta: { content } }] })),
  end: [
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
    CHAT_END,
  ],
  whole: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hello there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  },
}

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: CLAUDE }
const claude = {
  channel: { type: 14, models: CLAUDE },
  text: [
    named({
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    }),
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    named({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'hello there' },
    }),
  ],
  end: [
    named({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    }),
    named({ type: 'message_stop' }),
  ],
  whole: {
    ...message,
    content: [{ type: 'text', text: 'hello there' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  },
}

const output = [
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'hello there', annotations: [] }],
  },
]
const completed = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-4o',
  status: 'completed',
  output,
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
}
const responses = {
  channel: { type: 1, models: 'gpt-4o' },
  text: [
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
    },
    {
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      item_id: 'msg_1',
      delta: 'hello there',
    },
  ].map((each, index) => named({ ...each, sequence_number: index })),
  end: [named({ type: 'response.completed', sequence_number: 3, response: completed })],
  whole: completed,
}

const candidate = (text: string, rest: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...rest }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  modelVersion: GEMINI,
  responseId: 'r1',
})
const gemini = {
  channel: { type: 24, models: GEMINI },
  text: [event(candidate('hello')), event(candidate(' there'))],
  end: [event(candidate('', { finishReason: 'STOP' }))],
  whole: candidate('hello there', { finishReason: 'STOP' }),
}

const asChat = (model: string) => (isStream: boolean, bearer: string) => ({
  bearer,
  body: {
    model,
    messages,
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  },
})
const asMessages = (model: string) => (isStream: boolean, bearer: string) => ({
  path: '/v1/messages',
  bearer,
  body: { model, max_tokens: 100, messages, stream: isStream },
})
const asResponses = (model: string) => (isStream: boolean, bearer: string) => ({
  path: '/v1/responses',
  bearer,
  body: { model, input: 'hi', stream: isStream },
})
const asGemini = (model: string) => (isStream: boolean, bearer: string) => ({
  path: `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  bearer,
  body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
})

const CHAT_MARKS = ['"finish_reason":"stop"', '"usage":{', '[DONE]']
const MESSAGE_MARKS = ['message_delta', 'message_stop']

export const conversationCases: readonly ConversationCase[] = [
  { name: 'chat', ...chat, send: asChat('gpt-4o'), marks: CHAT_MARKS, isSame: true },
  { name: 'messages', ...claude, send: asMessages(CLAUDE), marks: MESSAGE_MARKS, isSame: true },
  {
    name: 'responses',
    ...responses,
    send: asResponses('gpt-4o'),
    marks: ['response.completed'],
    isSame: true,
  },
  { name: 'gemini', ...gemini, send: asGemini(GEMINI), marks: ['finishReason'], isSame: true },
  { name: 'chat over messages', ...claude, send: asChat(CLAUDE), marks: CHAT_MARKS, isSame: false },
  { name: 'chat over gemini', ...gemini, send: asChat(GEMINI), marks: CHAT_MARKS, isSame: false },
  { name: 'messages over chat', ...chat, send: asMessages('gpt-4o'), marks: MESSAGE_MARKS, isSame: false },
  {
    name: 'responses over chat',
    ...chat,
    send: asResponses('gpt-4o'),
    marks: ['response.completed'],
    isSame: false,
  },
  { name: 'gemini over chat', ...chat, send: asGemini('gpt-4o'), marks: ['finishReason'], isSame: false },
]
