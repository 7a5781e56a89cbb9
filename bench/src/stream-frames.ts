import { models, type StreamKind } from './workload.ts'

/** Frames per write, so that a stream arrives in several reads as it does from a real upstream. */
const FRAMES_PER_WRITE = 20

/**
 * Returns a response of `count` frames, each a separate HTTP chunk, split into the pieces in which it is
 * written.
 */
export function streamPieces(kind: StreamKind, count: number): Buffer[] {
  const frames = writers[kind](count).map(
    (frame) => `${Buffer.byteLength(frame).toString(16)}\r\n${frame}\r\n`,
  )
  const pieces: string[] = []
  for (let start = 0; start < frames.length; start += FRAMES_PER_WRITE) {
    pieces.push(frames.slice(start, start + FRAMES_PER_WRITE).join(''))
  }
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n'
  pieces[0] = `${head}transfer-encoding: chunked\r\n\r\n${pieces[0]}`
  pieces.push('0\r\n\r\n')
  return pieces.map((piece) => Buffer.from(piece))
}

/** The stream of an upstream in each API format: a beginning, `count` words, and an end with usage. */
const writers: Readonly<Record<StreamKind, (count: number) => string[]>> = {
  stream: chatFrames,
  responses: responseFrames,
  generate: geminiFrames,
}

function wordsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => ` word${index}`)
}

/** The role, the words, the finish reason with usage, and the end marker. */
function chatFrames(count: number): string[] {
  const words = wordsOf(count - 3).map((content) => chunk({ content }, null))
  const usage = { prompt_tokens: 27, completion_tokens: count - 3, total_tokens: count + 24 }
  return [
    chunk({ role: 'assistant', content: '', refusal: null }, null),
    ...words,
    chunk({}, 'stop', usage),
    'data: [DONE]\n\n',
  ]
}

function chunk(delta: object, finishReason: string | null, usage: object | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
  const head = { id: 'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012', object: 'chat.completion.chunk' }
  const body = { ...head, created: 1_750_000_000, model: models.stream, choices, usage }
  return `data: ${JSON.stringify(body)}\n\n`
}

function responseFrames(count: number): string[] {
  const id = 'resp_0123456789abcdef'
  const item = {
    id: 'msg_0123456789abcdef',
    type: 'message',
    role: 'assistant',
    status: 'in_progress',
    content: [],
  }
  const place = { item_id: item.id, output_index: 0, content_index: 0 }
  const output = wordsOf(count - 4)
  const content = [{ type: 'output_text', text: output.join(''), annotations: [] }]
  const done = { ...item, status: 'completed', content }
  const usage = { input_tokens: 27, output_tokens: output.length, total_tokens: output.length + 27 }
  const events = [
    { type: 'response.created', response: { id, object: 'response', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    ...output.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_item.done', output_index: 0, item: done },
    {
      type: 'response.completed',
      response: { id, object: 'response', status: 'completed', output: [done], usage },
    },
  ]
  return events.map(
    (event, index) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`,
  )
}

function geminiFrames(count: number): string[] {
  return wordsOf(count).map((text, index) => {
    const end = index === count - 1 ? { finishReason: 'STOP' } : {}
    const candidates = [{ content: { parts: [{ text }], role: 'model' }, ...end, index: 0 }]
    const usageMetadata = {
      promptTokenCount: 27,
      candidatesTokenCount: index + 1,
      totalTokenCount: index + 28,
    }
    const body = { candidates, usageMetadata, modelVersion: models.generate, responseId: 'AbCdEf012345' }
    return `data: ${JSON.stringify(body)}\n\n`
  })
}
