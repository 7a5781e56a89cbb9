import { ApiError } from '@tollgate/contract/client'
import * as z from 'zod/mini'
import type { ChatRequest } from '../conversation/request.ts'
import { type AnswerEvent, createAnswerReader, errorMessage } from './answer-reader.ts'

export interface StreamAnswerInput {
  readonly request: ChatRequest
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly fetch: typeof fetch
  /** Called when the gateway has accepted the request; the id names it in the usage log. */
  readonly onAccepted: (requestId: string | undefined) => void
  readonly onEvents: (events: readonly AnswerEvent[]) => void
}

const REQUEST_ID_HEADER = 'x-oneapi-request-id'

/**
 * Sends one playground request and reports its events as they arrive; resolves when the response is complete.
 * Rejects with an `ApiError` if the gateway refuses or cannot be reached, and with the signal's reason if it
 * is aborted.
 */
export async function streamAnswer(input: StreamAnswerInput): Promise<void> {
  const response = await send(input)
  if (!response.ok) throw new ApiError(await refusal(response), response.status)
  input.onAccepted(response.headers.get(REQUEST_ID_HEADER) ?? undefined)
  const reader = createAnswerReader()
  for await (const text of textOf(response, input.signal)) {
    const events = reader.push(text)
    if (events.length > 0) input.onEvents(events)
  }
  input.onEvents(reader.end())
}

async function send({ request, headers, signal, fetch }: StreamAnswerInput): Promise<Response> {
  try {
    return await fetch('/pg/chat/completions', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(request),
      signal,
    })
  } catch (cause) {
    signal.throwIfAborted()
    throw new ApiError('', 0, { cause })
  }
}

async function* textOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (!response.body) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { value, done } = await read(reader, signal)
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>, signal: AbortSignal) {
  try {
    return await reader.read()
  } catch (cause) {
    signal.throwIfAborted()
    throw new ApiError('', 0, { cause })
  }
}

const refusalSchema = z.looseObject({
  error: z.optional(z.unknown()),
  message: z.catch(z.optional(z.string()), undefined),
})

/** The gateway's error message; "" if the response contains none that a person could read. */
async function refusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const parsed = refusalSchema.safeParse(body)
  if (!parsed.success) return ''
  return errorMessage(parsed.data.error) ?? parsed.data.message ?? ''
}
