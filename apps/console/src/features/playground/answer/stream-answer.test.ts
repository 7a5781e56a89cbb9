import { ApiError } from '@tollgate/contract/client'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from './answer-reader.ts'
import { streamAnswer } from './stream-answer.ts'

const request = { model: 'm', messages: [], stream: true, stream_options: { include_usage: true } } as const

function call(fetch: typeof globalThis.fetch, signal = new AbortController().signal) {
  const events: AnswerEvent[] = []
  const accepted: (string | undefined)[] = []
  const ended = streamAnswer({
    request,
    headers: { 'Tollgate-User': '7' },
    signal,
    fetch,
    onAccepted: (requestId) => accepted.push(requestId),
    onEvents: (more) => events.push(...more),
  })
  return { events, accepted, ended }
}

const bodyOf = (...chunks: readonly string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })

describe('streamAnswer', () => {
  it('sends the cookie and the user header, and reports the events and the request id', async () => {
    const seen: RequestInit[] = []
    const { ended, events, accepted } = call(async (_address, init) => {
      if (init) seen.push(init)
      return new Response(
        bodyOf('data: {"choices":[{"delta":{"con', 'tent":"Hi"}}]}\n\n', 'data: [DONE]\n\n'),
        {
          headers: { 'x-oneapi-request-id': 'r1' },
        },
      )
    })
    await ended
    expect(seen[0]).toMatchObject({ method: 'POST', credentials: 'same-origin' })
    expect(new Headers(seen[0]?.headers).get('tollgate-user')).toBe('7')
    expect(accepted).toEqual(['r1'])
    expect(events).toEqual([{ type: 'text-delta', text: 'Hi' }, { type: 'done' }])
  })

  it('rejects with the message of an error response', async () => {
    const { ended } = call(async () =>
      Response.json({ error: { message: 'No such model' } }, { status: 404 }),
    )
    await expect(ended).rejects.toEqual(new ApiError('No such model', 404))
  })

  it('rejects with an empty message when the error response has none', async () => {
    const { ended } = call(async () => new Response('<html>', { status: 502 }))
    await expect(ended).rejects.toMatchObject({ status: 502, message: '' })
  })

  it('distinguishes a broken connection from a stop by the reader', async () => {
    const broken = call(() => Promise.reject(new TypeError('network')))
    await expect(broken.ended).rejects.toMatchObject({ status: 0 })
    const abort = new AbortController()
    const stopped = call(() => {
      abort.abort(new Error('stopped by the reader'))
      return Promise.reject(new TypeError('network'))
    }, abort.signal)
    await expect(stopped.ended).rejects.toThrow('stopped by the reader')
  })
})
