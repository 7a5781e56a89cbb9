import type { ServerResponse } from 'node:http'

/** What the fakes answer, in the wire formats of vendors, whole or streamed. */

export interface FakeAnswer {
  readonly text: string
  readonly isStream: boolean
}

type Writer = (response: ServerResponse, answer: FakeAnswer) => void

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function sendEvents(response: ServerResponse, events: readonly object[], isNamed: boolean, end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frames = events.map((event) => {
    const name = isNamed && 'type' in event ? `event: ${String(event.type)}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  response.end(frames.join('') + end)
}

export const answers: Readonly<Record<string, Writer>> = {
  chat: (response, { text, isStream }) => {
    const usage = { prompt_tokens: 40, completion_tokens: 5, total_tokens: 45 }
    const head = { id: 'c', created: 1, model: 'm' }
    if (!isStream) {
      const message = { role: 'assistant', content: text }
      return sendJson(response, { ...head, choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
    }
    const chunk = (delta: object, reason: string | null) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })
    const events = [
      chunk({ role: 'assistant', content: text }, null),
      chunk({}, 'stop'),
      { ...head, choices: [], usage },
    ]
    return sendEvents(response, events, false, 'data: [DONE]\n\n')
  },
  messages: (response, { text, isStream }) => {
    const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
    const usage = { input_tokens: 40, output_tokens: 5 }
    if (!isStream)
      return sendJson(response, {
        ...head,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        usage,
      })
    return sendEvents(
      response,
      [
        { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
        { type: 'message_stop' },
      ],
      true,
    )
  },
  responses: (response, { text, isStream }) => {
    const content = [{ type: 'output_text', text, annotations: [] }]
    const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
    const usage = { input_tokens: 40, output_tokens: 5, total_tokens: 45 }
    const whole = {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'm',
      status: 'completed',
      output: [item],
      usage,
    }
    if (!isStream) return sendJson(response, whole)
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const events = [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      },
      {
        type: 'response.content_part.added',
        ...place,
        part: { type: 'output_text', text: '', annotations: [] },
      },
      { type: 'response.output_text.delta', ...place, delta: text },
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ]
    return sendEvents(
      response,
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
      true,
    )
  },
  gemini: (response, { text, isStream }) => {
    const answer = {
      responseId: 'r',
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 5, totalTokenCount: 45 },
    }
    return isStream ? sendEvents(response, [answer], false) : sendJson(response, answer)
  },
  converse: (response, { text }) =>
    sendJson(response, {
      output: { message: { role: 'assistant', content: [{ text }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 40, outputTokens: 5, totalTokens: 45 },
    }),
}
