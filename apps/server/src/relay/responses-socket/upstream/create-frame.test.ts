import { expect, it } from 'vitest'
import { scanFrame, readFrame } from '../read-frame.ts'
import { inputValue, turnBody } from '../turn-body.ts'
import { continuedFrame, createFrame } from './create-frame.ts'

const EARLIER = [Buffer.from('{"role":"user","content":"root"}'), Buffer.from('{"type":"reasoning"}')]

function frameOf(members: object) {
  return readFrame(scanFrame(Buffer.from(JSON.stringify({ type: 'response.create', ...members }))))
}

function parsed(frame: Buffer | undefined): unknown {
  return frame === undefined ? undefined : JSON.parse(frame.toString())
}

it.each([{ model: 'm', input: 'hi' }, { input: [] }, { model: 'm', stream: false, stream_id: 'a' }])(
  'the frame of %j is what the caller sent',
  (members) => {
    const {
      stream: _stream,
      stream_id: _lane,
      ...others
    } = { stream: undefined, stream_id: undefined, ...members }
    const { bytes } = turnBody(frameOf(members))
    expect(JSON.parse(bytes.toString())).toEqual({ stream: true, ...others })
    expect(parsed(createFrame(bytes))).toEqual({ type: 'response.create', ...others })
  },
)

it.each([
  ['a text', 'hi'],
  ['items', [{ role: 'user', content: 'hi' }]],
  ['nothing', undefined],
])('a continued conversation with %s sends the id and what is new', (_what, input) => {
  const frame = frameOf({ model: 'm', previous_response_id: 'resp_1', input })
  const { bytes, wholeInput = [] } = turnBody(frame, EARLIER)
  const continued = { previousId: 'resp_1', wholeInput, newInput: inputValue(frame) }
  expect(parsed(continuedFrame(bytes, continued))).toEqual({
    type: 'response.create',
    model: 'm',
    previous_response_id: 'resp_1',
    input: input ?? [],
  })
  const { input: whole } = Object(parsed(createFrame(bytes)))
  expect(whole).toHaveLength(input === undefined ? 2 : 3)
})

it('an input that was changed, or moved within the body, is not shortened', () => {
  const frame = frameOf({ previous_response_id: 'resp_1', input: 'hi' })
  const { bytes, wholeInput = [] } = turnBody(frame, EARLIER)
  const continued = { previousId: 'resp_1', wholeInput, newInput: inputValue(frame) }
  const changed = Buffer.from(bytes.toString().replace('root', 'toor'))
  expect(continuedFrame(changed, continued)).toBeUndefined()
  const { input } = JSON.parse(bytes.toString())
  expect(continuedFrame(Buffer.from(JSON.stringify({ input, stream: true })), continued)).toBeUndefined()
  expect(continuedFrame(Buffer.alloc(0), continued)).toBeUndefined()
})
