import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Conversation, Message } from '../../src/canonical/conversation.ts'
import type { Part } from '../../src/canonical/part.ts'
import type { ChoiceEnd, Reply, ReplyChoice } from '../../src/canonical/reply.ts'
import type { Tool, ToolChoice } from '../../src/canonical/tool.ts'
import { noUsage, type Usage } from '../../src/usage.ts'

/**
 * Texts with characters that break naive writers: line breaks, quotes, other scripts, surrogate pairs, line
 * separators.
 */
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

/** The ids must be unique within a reply; random UUIDs practically always are. */
export const callPart: Arbitrary<Part> = fc
  .tuple(fc.uuid(), fc.stringMatching(/^[a-z_]{1,12}$/), jsonObjectText)
  .map(([id, name, written]) => ({ type: 'tool-call', id, name, arguments: written, kind: 'function' }))

/**
 * Parts of the given kinds in any order. Two consecutive parts of the same textual kind are avoided, because
 * no dialect keeps them apart.
 */
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

/** Usage in the buckets that every dialect with a prompt cache reports. */
export const someUsage: Arbitrary<Usage> = fc
  .record({ inputText: fc.nat(9999), cacheRead: fc.nat(9999), outputText: fc.nat(9999) })
  .map((reported) => ({ ...noUsage, ...reported }))

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

/** Texts that no dialect trims or leaves out. */
const solidText: Arbitrary<string> = someText.map((text) => `<${text}>`)
const solidPart: Arbitrary<Part> = solidText.map((text) => ({ type: 'text', text }))

const picture: Arbitrary<Part> = fc.uint8Array({ minLength: 3, maxLength: 30 }).map((bytes) => ({
  type: 'image',
  source: { type: 'data', mediaType: 'image/png', base64: Buffer.from(bytes).toString('base64') },
}))

const signedThought: Arbitrary<Part> = solidText.map((text) => ({
  type: 'reasoning',
  text,
  signature: { dialect: 'anthropic', value: Buffer.from(text).toString('base64') },
}))

/** Results for the tool calls of one turn, to be sent in the next. */
function resultsOf(calls: readonly Part[] = [], answers: readonly Part[]): readonly Part[] {
  return calls.flatMap((call, at) =>
    call.type === 'tool-call'
      ? [{ type: 'tool-result' as const, callId: call.id, parts: answers.slice(at, at + 1) }]
      : [],
  )
}

/** Alternating turns, each with its parts in an order that every dialect can express. */
export const someMessages: Arbitrary<Message[]> = fc
  .tuple(
    fc.option(solidPart, { nil: undefined }),
    fc.array(
      fc.record({
        answers: fc.tuple(solidPart, solidPart),
        asked: fc.array(fc.oneof(solidPart, picture), { minLength: 1, maxLength: 3 }),
        thought: fc.array(signedThought, { maxLength: 1 }),
        said: fc.array(solidPart, { minLength: 1, maxLength: 2 }),
        calls: fc.array(callPart, { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([system, turns]) => [
    ...(system === undefined ? [] : [{ role: 'system' as const, parts: [system] }]),
    ...turns.flatMap(({ answers, asked, thought, said, calls }, at) => [
      { role: 'user' as const, parts: [...resultsOf(turns[at - 1]?.calls, answers), ...asked] },
      { role: 'assistant' as const, parts: [...thought, ...said, ...calls] },
    ]),
  ])

const functionTool: Arbitrary<Tool> = fc
  .record({ name: fc.stringMatching(/^[a-z_]{1,12}$/), description: solidText })
  .map(({ name, description }) => ({
    type: 'function',
    name,
    description,
    parameters: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  }))

/** Conversations that every dialect can express. */
export const someConversation: Arbitrary<Conversation> = fc
  .record({
    messages: someMessages,
    isStream: fc.boolean(),
    tools: fc.array(functionTool, { minLength: 1, maxLength: 3 }),
    toolChoice: fc.constantFrom<ToolChoice>(
      { type: 'auto' },
      { type: 'none' },
      { type: 'required' },
      { type: 'tool', name: 'f' },
    ),
    temperature: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    stop: fc.uniqueArray(solidText, { maxLength: 2 }),
    outputTokensMax: fc.integer({ min: 1, max: 100_000 }),
    userId: fc.uuid(),
  })
  .map(({ temperature, userId, ...reported }) => ({
    ...reported,
    model: 'model-1',
    sampling: { temperature },
    choices: 1,
    metadata: { userId },
    extras: {},
  }))
