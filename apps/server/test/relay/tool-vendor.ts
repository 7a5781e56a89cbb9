import type { ServerResponse } from 'node:http'
import { isRecord } from '@tollgate/kit/json'
import { openScriptedUpstream, type ReceivedRequest } from './upstream.ts'
import { ResponsesSockets, type SocketRequest } from './responses-sockets.ts'

/** What a vendor says that a call used. */
export interface BookedCall {
  readonly input: number
  readonly output: number
}

export type ToolVendor = Awaited<ReturnType<typeof openToolVendor>>

/**
 * A vendor for Responses, over HTTP and WebSocket, and for chat completions. It calls the tool `look` once for each
 * result that is still missing, in order, and then answers with a text. It notes what it charges for each call.
 * It remembers nothing but the last response of a socket.
 */
export async function openToolVendor({ turns }: { readonly turns: number }) {
  const books: BookedCall[] = []
  const replyTo = ({ body }: Pick<ReceivedRequest, 'body'>): Reply | Refusal => {
    const results = resultsIn({ body })
    const expected = results.map((_result, index) => `result ${index}`)
    if (JSON.stringify(results) !== JSON.stringify(expected))
      return { message: `the results are ${results.join()}`, code: 'gap' }
    const used = { input: 100 + 4 * results.length, output: 8 }
    books.push(used)
    return { number: books.length, call: results.length < turns - 1 ? results.length : undefined, used }
  }
  const upstream = await openScriptedUpstream((response, request) => {
    const reply = replyTo(request)
    if ('code' in reply) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: reply }))
    } else if (request.path.endsWith('/responses')) writeResponse(response, reply)
    else writeChat(response, reply)
  })
  const sockets = new ResponsesSockets(upstream.server, (request: SocketRequest) => {
    const reply = replyTo(request)
    if ('code' in reply) return [{ type: 'error', status: 400, error: reply }]
    return eventsOf(reply)
  })
  const { close: closeHttp } = upstream
  const close = async () => {
    sockets.close()
    await closeHttp()
  }
  return Object.assign(upstream, { books, sockets, close })
}

interface Refusal {
  readonly message: string
  readonly code: string
}

interface Reply {
  /** Different for each reply. */
  readonly number: number
  /** The number of the call; `undefined` for the last reply. */
  readonly call: number | undefined
  readonly used: BookedCall
}

/** The results of tools in a request, in order; for chat completions only those that follow their call. */
function resultsIn({ body }: Pick<ReceivedRequest, 'body'>): unknown[] {
  const entries = [body['input'], body['messages']].flatMap((list) => (Array.isArray(list) ? list : []))
  const records = entries.filter(isRecord)
  const calls = new Set(
    records.flatMap((entry) => {
      if (entry['type'] === 'function_call') return [entry['call_id']]
      const list = entry['tool_calls']
      return Array.isArray(list) ? list.filter(isRecord).map(({ id }) => id) : []
    }),
  )
  return records.flatMap((entry) => {
    if (entry['type'] === 'function_call_output' && calls.has(entry['call_id'])) return [entry['output']]
    return entry['role'] === 'tool' && calls.has(entry['tool_call_id']) ? [entry['content']] : []
  })
}

function writeResponse(response: ServerResponse, reply: Reply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of eventsOf(reply))
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}

function eventsOf({ number, call, used }: Reply): Readonly<Record<string, unknown>>[] {
  const id = `resp_${number}`
  const item =
    call === undefined
      ? { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [textPart] }
      : { id: `fc_${call}`, type: 'function_call', call_id: `call_${call}`, name: 'look', arguments: '{}' }
  const usage = {
    input_tokens: used.input,
    output_tokens: used.output,
    total_tokens: used.input + used.output,
  }
  const whole = {
    id,
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    output: [item],
    usage,
  }
  const events = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item },
    ...(call === undefined
      ? [{ type: 'response.output_text.delta', output_index: 0, delta: textPart.text }]
      : []),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ]
  return events.map((event, index) => ({ ...event, sequence_number: index }))
}

const textPart = { type: 'output_text', text: 'all done', annotations: [] }

function writeChat(response: ServerResponse, { number, call, used }: Reply): void {
  const tool = { index: 0, id: `call_${call}`, type: 'function', function: { name: 'look', arguments: '{}' } }
  const delta = call === undefined ? { content: textPart.text } : { tool_calls: [tool] }
  const frame = (part: object) =>
    response.write(`data: ${JSON.stringify({ id: `c_${number}`, ...part })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  frame({ choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] })
  frame({ choices: [{ index: 0, delta: {}, finish_reason: call === undefined ? 'stop' : 'tool_calls' }] })
  frame({ choices: [], usage: { prompt_tokens: used.input, completion_tokens: used.output } })
  response.end('data: [DONE]\n\n')
}
