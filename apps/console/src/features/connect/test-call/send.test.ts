import { expect, it } from 'vitest'
import { sendTestCall, type TestCallInput } from './send.ts'

const input: TestCallInput = {
  dialect: 'chat',
  key: 'sk-abc',
  model: 'gpt-5.2',
  language: 'en',
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  nowMs: () => 0,
  fetch: () => Promise.reject(new TypeError('failed')),
}
/** Never answers; rejects when it is aborted, as `fetch` does. */
const silent: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
  })

const page: typeof fetch = () => Promise.resolve(new Response('<html>', { status: 502 }))

it('a call that fails on the way or takes too long counts as not answered', async () => {
  const unreachable = { type: 'refused', status: 0, text: '', requestId: undefined }
  expect(await sendTestCall(input)).toEqual(unreachable)
  expect(await sendTestCall({ ...input, fetch: silent, timeoutMs: 1 })).toEqual(unreachable)
})

it('a stopped call rejects', async () => {
  const abort = new AbortController()
  const call = sendTestCall({ ...input, fetch: silent, signal: abort.signal })
  abort.abort(new Error('stopped'))
  await expect(call).rejects.toThrow('stopped')
})

it('an answer that is not JSON has no text', async () => {
  expect(await sendTestCall({ ...input, fetch: page })).toMatchObject({
    type: 'refused',
    status: 502,
    text: '',
  })
})
