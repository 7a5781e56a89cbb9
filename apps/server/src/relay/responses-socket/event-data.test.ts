import { expect, it } from 'vitest'
import { EventData } from './event-data.ts'

const STREAM =
  ': PING\n\nevent: a\ndata: {"a":"é"}\n\ndata:{"b":2}\r\n\r\nid: 1\ndata: [DONE]\n\ndata: {"c":3}'

it.each([1, 2, 3, 7, 1000])('the data of events are the same in pieces of %i bytes', (size) => {
  const events = new EventData(100)
  const bytes = Buffer.from(STREAM)
  const found: string[] = []
  for (let at = 0; at < bytes.length; at += size) found.push(...events.push(bytes.subarray(at, at + size)))
  expect([...found, ...events.end()]).toEqual(['{"a":"é"}', '{"b":2}', '{"c":3}'])
})

it('a line that never ends is refused', () => {
  const events = new EventData(100)
  expect(() => {
    for (let index = 0; index < 101; index++) events.push(Buffer.from('x'))
  }).toThrow(RangeError)
})
