import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Part } from '../../src/canonical/part.ts'
import type { ChoiceEnd, Reply, ReplyChoice } from '../../src/canonical/reply.ts'
import { noUsage, type Usage } from '../../src/usage.ts'

/** Texts with what breaks naive writers: line breaks, quotes, other scripts, pairs of surrogates, separators of lines. */
export const someText: Arbitrary<string> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.constantFrom('data: [DONE]', '{"a":1}', '\n\n', '\r\n', '\u2028', '😀', '汉字', '"\\', 'event: x'),
)

export const jsonObjectText: Arbitrary<string> = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  .map((object) => JSON.stringify(object))

export const textPart: Arbitrary<Part> = someText.map((text) => ({ type: 'text', text }))
export const reasoningPart: Arbitrary<Part> = someText.map((text) => ({ type: 'reasoning', text }))

/** Ids are unique within a reply only if the caller sees to it; here they nearly always are. */
export const callPart: Arbitrary<Part> = fc
  .tuple(fc.uuid(), fc.stringMatching(/^[a-z_]{1,12}$/), jsonObjectText)
  .map(([id, name, written]) => ({ type: 'tool-call', id, name, arguments: written, kind: 'function' }))

/** Every kind of part that streams, in any order; no two of one textual kind in a row, which no dialect keeps apart. */
export function partsOf(...kinds: readonly Arbitrary<Part>[]): Arbitrary<Part[]> {
  return fc
    .array(fc.oneof(...kinds), { minLength: 1, maxLength: 6 })
    .map((parts) =>
      parts.filter((part, at) => part.type === 'tool-call' || part.type !== parts[at - 1]?.type),
    )
}

export const choiceEnd: Arbitrary<ChoiceEnd> = fc.constantFrom(
  { reason: 'stop', raw: 'stop' },
  { reason: 'length', raw: 'length' },
  { reason: 'tool-calls', raw: 'tool_calls' },
)

/** Figures in the buckets every dialect with a prompt cache tells. */
export const someUsage: Arbitrary<Usage> = fc
  .record({ inputText: fc.nat(9999), cacheRead: fc.nat(9999), outputText: fc.nat(9999) })
  .map((told) => ({ ...noUsage, ...told }))

export const someChoice: Arbitrary<ReplyChoice> = fc.record({
  parts: partsOf(textPart, reasoningPart, callPart),
  end: choiceEnd,
})

export const someReply: Arbitrary<Reply> = fc.record({
  id: fc.uuid(),
  model: fc.constant('model-1'),
  createdSeconds: fc.nat(2_000_000_000),
  choices: fc.array(someChoice, { minLength: 1, maxLength: 3 }),
  usage: someUsage,
})
