import type { ServerResponse } from 'node:http'
import type { Responder } from './upstream.ts'

/**
 * An upstream of any dialect, told by the path of the request, whose stream stops in the middle: the connection
 * breaks, or the vendor sends its own error event and closes.
 */
export type StreamFault = 'breaks' | 'tells an error'

interface HalfStream {
  readonly begin: readonly object[]
  readonly error: object
}

const RESPONSE = { id: 'resp_1', object: 'response', model: 'm', status: 'in_progress', output: [] }
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] }

/** Half of a stream in each dialect, with its vendor's error event. */
const halves: readonly (readonly [RegExp, HalfStream])[] = [
  [
    /chat\/completions/,
    {
      begin: [{ id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'half' } }] }],
      error: { error: { message: 'Broken down', type: 'server_error', code: 'server_error' } },
    },
  ],
  [
    /\/messages/,
    {
      begin: [
        { type: 'message_start', message: { ...MESSAGE, usage: { input_tokens: 3, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } },
      ],
      error: { type: 'error', error: { type: 'overloaded_error', message: 'Broken down' } },
    },
  ],
  [
    /\/responses/,
    {
      begin: [
        { type: 'response.created', sequence_number: 7, response: RESPONSE },
        {
          type: 'response.output_item.added',
          sequence_number: 8,
          output_index: 0,
          item: { id: 'msg_1', type: 'message', role: 'assistant', content: [] },
        },
        {
          type: 'response.output_text.delta',
          sequence_number: 9,
          output_index: 0,
          item_id: 'msg_1',
          content_index: 0,
          delta: 'half',
        },
        {
          type: 'response.output_text.delta',
          sequence_number: 10,
          output_index: 0,
          item_id: 'msg_1',
          content_index: 0,
          delta: ' of it',
        },
      ],
      error: {
        type: 'error',
        sequence_number: 11,
        code: 'server_error',
        message: 'Broken down',
        param: null,
      },
    },
  ],
  [
    /generateContent/i,
    {
      begin: [
        {
          candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'half' }] } }],
          responseId: 'r',
        },
      ],
      error: { error: { code: 503, message: 'Broken down', status: 'UNAVAILABLE' } },
    },
  ],
]

/** `isSeen`: resolves once the caller has seen the half, because until then another channel may be tried. */
export function halfWith(fault: StreamFault, isSeen: Promise<void>): Responder {
  return async (response, { path }) => {
    const half = halves.find(([pattern]) => pattern.test(path))?.[1]
    if (half === undefined) throw new Error(`no dialect has the path ${path}`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of half.begin) await write(response, frame)
    await isSeen
    if (fault === 'tells an error') await write(response, half.error)
    if (fault === 'breaks') response.destroy()
    else response.end()
  }
}

async function write(response: ServerResponse, frame: object): Promise<void> {
  const name = 'type' in frame ? `event: ${String(frame.type)}\n` : ''
  await new Promise((resolve) => response.write(`${name}data: ${JSON.stringify(frame)}\n\n`, resolve))
}
