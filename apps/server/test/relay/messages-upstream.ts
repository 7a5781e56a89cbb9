import type { Responder } from './upstream.ts'
import { sendJson } from './upstream.ts'

/**
 * An upstream that supports Messages, with the bytes of
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */

export const MESSAGE_USAGE = {
  input_tokens: 10,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 30,
  cache_creation: { ephemeral_5m_input_tokens: 15, ephemeral_1h_input_tokens: 5 },
  output_tokens: 5,
} as const

export type Block = Readonly<Record<string, unknown>>

export function messageWith(
  content: readonly Block[] = [{ type: 'text', text: 'hello there' }],
  stop = 'end_turn',
): Responder {
  return (response) =>
    sendJson(response, 200, {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-upstream',
      content,
      stop_reason: stop,
      stop_sequence: null,
      usage: MESSAGE_USAGE,
    })
}

/** Streams blocks of text, thinking and tool calls; `sliceBytes` splits the bytes regardless of lines. */
export function messageStreamWith(blocks: readonly Block[], options: StreamOptions = {}): Responder {
  const { stop = 'end_turn', sliceBytes = 7, breaksAfter, errorAfter } = options
  const frames = framesOf(blocks, stop)
  const reported = breaksAfter ?? errorAfter ?? frames.length
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const bytes = Buffer.from(
    frames.slice(0, reported).join('') + (errorAfter === undefined ? '' : frame('error', error)),
  )
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      response.write(bytes.subarray(at, at + sliceBytes))
      // Each slice is written separately; the network may join some of them.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (breaksAfter === undefined) response.end()
    else response.destroy()
  }
}

export interface StreamOptions {
  readonly stop?: string
  readonly sliceBytes?: number
  /** Number of events sent before the connection breaks. */
  readonly breaksAfter?: number
  /** Number of events sent before the upstream sends an error event. */
  readonly errorAfter?: number
}

function framesOf(blocks: readonly Block[], stop: string): string[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-upstream',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...MESSAGE_USAGE, output_tokens: 1 },
  }
  const delta = { stop_reason: stop, stop_sequence: null }
  return [
    frame('message_start', { type: 'message_start', message }),
    frame('ping', { type: 'ping' }),
    ...blocks.flatMap(blockFrames),
    frame('message_delta', { type: 'message_delta', delta, usage: { output_tokens: 5 } }),
    frame('message_stop', { type: 'message_stop' }),
  ]
}

function blockFrames(block: Block, index: number): string[] {
  const { opening, deltas } = takenApart(block)
  return [
    frame('content_block_start', { type: 'content_block_start', index, content_block: opening }),
    ...deltas.map((delta) => frame('content_block_delta', { type: 'content_block_delta', index, delta })),
    frame('content_block_stop', { type: 'content_block_stop', index }),
  ]
}

function takenApart(block: Block): { opening: Block; deltas: Block[] } {
  if (block['type'] === 'thinking') {
    const { thinking, signature } = block
    return {
      opening: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...inHalves(String(thinking)).map((half) => ({ type: 'thinking_delta', thinking: half })),
        { type: 'signature_delta', signature },
      ],
    }
  }
  if (block['type'] === 'tool_use') {
    const halves = inHalves(JSON.stringify(block['input']))
    const deltas = halves.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    return { opening: { ...block, input: {} }, deltas }
  }
  if (block['type'] !== 'text') return { opening: block, deltas: [] }
  const halves = inHalves(String(block['text']))
  return { opening: { type: 'text', text: '' }, deltas: halves.map((text) => ({ type: 'text_delta', text })) }
}

function inHalves(text: string): string[] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

function frame(type: string, data: Block): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
