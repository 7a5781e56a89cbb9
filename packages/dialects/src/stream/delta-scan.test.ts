import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { estimateTokens } from '../tokens/estimate.ts'
import { DeltaScan } from './delta-scan.ts'

const heads = [
  '{"id":"a","choices":[{"delta":{',
  '{"id":"bc","choices":[{"index":0,"delta":{"role":"assistant",',
]
const tails = [
  '}}]}',
  '},"finish_reason":null}]}',
  '},"finish_reason":"stop"}],"usage":{"x":1}}',
  '}}],"error":null}',
  '}}],"sequence_number":#}',
  '}}],"sequence_number":#,"usage":{"x":1,"y":#,"z":[7]}}',
  '}}],"sequence_number":#,"usage":null}',
]

const chunks = fc.array(
  fc.record({
    head: fc.constantFrom(...heads),
    // Indexes and counts vary from chunk to chunk; `-1`, `1.5` and `"1"` look similar but are not whole
    // numbers.
    tail: fc
      .tuple(fc.constantFrom(...tails), fc.oneof(fc.nat().map(String), fc.constantFrom('-1', '1.5', '"1"')))
      .map(([tail, number]) => tail.replaceAll('#', number)),
    text: fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('', '"', '\\', '\\"', '"}}]}', '漢字', '"content":"x'),
    ),
  }),
  { maxLength: 40 },
)

const bytesOf = (chunk: { head: string; tail: string; text: string }): Buffer =>
  Buffer.from(`${chunk.head}"content":${JSON.stringify(chunk.text)}${chunk.tail}`)

it('comparing a chunk with the previous one gives the same result as a full scan', () => {
  fc.assert(
    fc.property(chunks, fc.nat(5), (all, shift) => {
      const scan = new DeltaScan()
      for (const chunk of all) {
        const bytes = bytesOf(chunk)
        const amid = Buffer.concat([Buffer.alloc(shift, 0x20), bytes, Buffer.from('"}')])
        const flags = scan.scan(amid, shift, shift + bytes.length)
        expect(flags).toBe(new DeltaScan().scan(bytes, 0, bytes.length))
      }
      expect(scan.outputTokens).toBe(estimateTokens(all.map(({ text }) => text).join('')))
    }),
    { seed: 7, numRuns: 500 },
  )
})

it('counts a second tool call of the same shape again', () => {
  const call = Buffer.from(
    '{"choices":[{"delta":{"tool_calls":[{"function":{"name":"go","arguments":""}}]}}]}',
  )
  const scan = new DeltaScan()
  scan.scan(call, 0, call.length)
  const once = scan.outputTokens
  scan.scan(call, 0, call.length)
  expect(scan.outputTokens).toBeGreaterThanOrEqual(2 * once - 1)
})

it('does not count reasoning as answer text when the chunks have a similar shape', () => {
  const answer = Buffer.from('{"choices":[{"delta":{"content":"four words of answer"}}]}')
  const thought = Buffer.from('{"choices":[{"delta":{"reasoning":"four words of answer"}}]}')
  const scan = new DeltaScan()
  for (const chunk of [answer, thought, thought]) scan.scan(chunk, 0, chunk.length)
  const { tokens } = scan.text('reasoning')
  expect(tokens).toBeGreaterThan(scan.text('answer').tokens)
  expect(scan.outputTokens).toBe(scan.text('answer').tokens + tokens)
})
