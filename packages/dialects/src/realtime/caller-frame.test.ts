import { expect, test } from 'vitest'
import { readCallerFrame } from './caller-frame.ts'

const frame = (value: unknown) => readCallerFrame(Buffer.from(JSON.stringify(value)))

test.each([3_000, 3_000_000])('audio of %d characters is measured and not kept', (length) => {
  const read = frame({ type: 'input_audio_buffer.append', audio: 'A'.repeat(length), event_id: 'e1' })
  expect(read?.soundCharacters).toBe(length)
  expect(read?.event).toMatchObject({ type: 'input_audio_buffer.append', event_id: 'e1' })
})

test('a frame has the same JSON limits as a request body', () => {
  expect(() => frame({ type: 'x', a: Array(200_000).fill(0) })).toThrow('body_too_many_values')
  expect(() => readCallerFrame(Buffer.from(`{"a":${'['.repeat(100_000)}`))).toThrow('body_too_deep')
  expect(() => readCallerFrame(Buffer.from(`{"a":${'['.repeat(9_000)}`))).toThrow('body_too_deep')
})

test('a frame that is not a JSON object is ignored', () => {
  expect(readCallerFrame(Buffer.from('hello'))).toBeUndefined()
  expect(readCallerFrame(Buffer.from('[1]'))).toBeUndefined()
})
