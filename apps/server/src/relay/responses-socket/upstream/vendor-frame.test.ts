import { expect, it } from 'vitest'
import { asEvent, errorEvent, readVendorFrame } from './vendor-frame.ts'

const read = (frame: unknown) =>
  readVendorFrame(Buffer.from(typeof frame === 'string' ? frame : JSON.stringify(frame)))

it.each([
  [{ type: 'response.output_text.delta', delta: 'x' }, { type: 'event' }],
  ['{ "sequence_number": 1,\n "type": "response.created" }', { type: 'event' }],
  [
    { type: 'response.completed', response: { id: 'r' } },
    { type: 'last', id: 'r' },
  ],
  [
    { type: 'response.failed', response: { id: 'r' } },
    { type: 'last', id: undefined },
  ],
  [{ type: 'response.incomplete' }, { type: 'last', id: undefined }],
  [{ type: 'codex.rate_limits' }, { type: 'other' }],
])('the frame %j is read as %j', (frame, known) => {
  expect(read(frame)).toEqual(known)
})

it.each(['', 'null', '[]', '7', '{"type":7}', '{}', '{"type":"response.completed"', '{"type":"error"'])(
  'the text %j is no frame',
  (text) => {
    expect(read(text)).toBeUndefined()
  },
)

it.each([
  [{ status: 503 }, 503],
  [{ status_code: 429 }, 429],
  [{ status: 200, error: { code: 'previous_response_not_found' } }, 400],
  [{ error: { type: 'usage_limit_reached' } }, 429],
  [{ code: 'insufficient_quota' }, 429],
  [{ error: { type: 'invalid_request_error' } }, 400],
  [{ status: '400' }, 502],
])('an error with %j has the status %i', (members, status) => {
  expect(read({ type: 'error', ...members })).toMatchObject({ error: { status } })
})

it('of the headers of an error a bounded number is read', () => {
  const headers = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`X-${index}`, 'y'.repeat(1_000)]),
  )
  const frame = read({ type: 'error', status: 429, headers: { 'Retry-After': 7, a: {}, ...headers } })
  if (frame?.type !== 'error') throw new Error('not an error')
  expect(frame.error.headers['retry-after']).toBe('7')
  expect(frame.error.headers).not.toHaveProperty('a')
  expect(JSON.stringify(frame.error.headers).length).toBeLessThan(10_000)
})

it('a frame on several lines is one line of data', () => {
  expect(asEvent(Buffer.from('{\r\n"a":\n1}')).toString()).toBe('data: {  "a": 1}\n\n')
  const frame = read({ type: 'error', error: { code: 'c', message: 'm', secret: 's' } })
  if (frame?.type !== 'error') throw new Error('not an error')
  expect(errorEvent(frame.error).toString()).toBe(
    'data: {"type":"error","code":"c","message":"m","param":null}\n\n',
  )
})
