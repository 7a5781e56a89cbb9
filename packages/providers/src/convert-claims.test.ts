import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { NamedCodec } from '@tollgate/dialects/canonical/codec'
import { features, type Feature } from '@tollgate/dialects/canonical/feature'
import {
  codecOf,
  conversations,
  type ConversationOperation,
  type UpstreamOperation,
} from '@tollgate/dialects/conversations'
import { Problem } from '@tollgate/problems/problem'
import { expect, it } from 'vitest'
import { openConversion, type Converted } from './convert.ts'
import { providers } from './index.ts'
import type { Endpoint, Provider } from './provider.ts'

/**
 * What coding agents use most, from callers of every dialect to every codec of every provider: it reaches the
 * upstream, is dropped and named, or is refused, as the codec's table of limits claims.
 */

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n').toString('base64')
const SCHEMA = {
  type: 'object',
  properties: { zebra: { type: 'string' } },
  required: ['zebra'],
  additionalProperties: false,
}
const CALLERS = ['chat', 'messages', 'responses', 'generate'] as const

const plain: Conversation = {
  model: 'model-1',
  isStream: true,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Look' }] }],
  tools: [],
  sampling: {},
  stop: [],
  choices: 1,
  outputTokensMax: 1_000,
  metadata: {},
  extras: {},
}
const saying = (part: Conversation['messages'][number]['parts'][number]): Conversation => ({
  ...plain,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Look' }, part] }],
})
const call = (id: string) =>
  ({ type: 'tool-call', id, name: 'look', arguments: `{"zebra":"${id}"}`, kind: 'function' }) as const
const result = (callId: string) =>
  ({
    type: 'tool-result',
    callId,
    name: 'look',
    parts: [{ type: 'text', text: `RESULT-${callId}` }],
  }) as const

interface Claim {
  readonly feature: Feature
  readonly said: Conversation
  /** Texts that the upstream's request must have. */
  readonly evidence: readonly string[]
}

const claims: Readonly<Record<string, Claim>> = {
  'parallel tool calls': {
    feature: 'tools',
    said: {
      ...plain,
      tools: [{ type: 'function', name: 'look', parameters: SCHEMA }],
      messages: [
        ...plain.messages,
        { role: 'assistant', parts: [call('one'), call('two')] },
        { role: 'user', parts: [result('one'), result('two')] },
      ],
    },
    evidence: ['RESULT-one', 'RESULT-two', 'zebra'],
  },
  'an image': {
    feature: 'image',
    said: saying({ type: 'image', source: { type: 'data', mediaType: 'image/png', base64: PIXEL } }),
    evidence: [PIXEL],
  },
  'a PDF': {
    feature: 'file',
    said: saying({
      type: 'file',
      name: 'a.pdf',
      source: { type: 'data', mediaType: 'application/pdf', base64: PDF },
    }),
    evidence: [PDF],
  },
  'structured output': {
    feature: 'schema',
    said: { ...plain, format: { type: 'schema', name: 'animal', schema: SCHEMA, isStrict: true } },
    evidence: ['zebra'],
  },
  'a cache mark': {
    feature: 'cache-markers',
    said: saying({ type: 'text', text: 'LONG-CONTEXT', cache: { ttl: '5m' } }),
    evidence: ['LONG-CONTEXT', 'cache'],
  },
}

/** Each codec once, under the name of the first provider that has it. */
const codecs = new Map(
  providers
    .flatMap(({ id, endpoints }) =>
      typedEntries(endpoints).flatMap(([operation, list = []]) =>
        list.flatMap(({ codec }) => {
          const found = codecOf(operation, codec)
          return found === undefined ? [] : [[found, codec === undefined ? operation : id] as const]
        }),
      ),
    )
    .toReversed(),
)

function typedEntries(endpoints: Provider['endpoints']) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the object are its type's
  return Object.entries(endpoints) as [UpstreamOperation, readonly Endpoint[] | undefined][]
}

const cells = CALLERS.flatMap((asked) =>
  [...codecs].flatMap(([codec, to]) =>
    Object.entries(claims).flatMap(([what, claim]) =>
      isExpressible(asked, claim) ? [{ asked, codec, to, what, ...claim }] : [],
    ),
  ),
)

/** A caller can only ask for what its own dialect has. */
function isExpressible(asked: ConversationOperation, { feature }: Claim): boolean {
  return conversations[asked].upstream.limits[feature] === undefined
}

it('every dialect and several codecs of single vendors are covered', () => {
  const names = [...codecs.values()]
  for (const caller of CALLERS) expect(names).toContain(caller)
  expect(names.length).toBeGreaterThan(8)
})

function converted(asked: ConversationOperation, codec: NamedCodec, body: object) {
  return openConversion({
    asked,
    codec,
    body: JSON.parse(JSON.stringify(body)),
    model: 'model-1',
    isStream: true,
    outputTokensDefault: 1_000,
  }).write()
}

it.each(cells)('$what from a $asked caller to $to', ({ asked, codec, said, feature, evidence, what }) => {
  const body = conversations[asked].upstream.writeRequest(said, { outputTokensDefault: 1_000 })
  const limit = codec.limits[feature]
  if (limit?.does === 'refuse') return expect(() => converted(asked, codec, body)).toThrow(Problem)
  const sent = sentOrRefused(() => converted(asked, codec, body))
  if (sent === 'media_unsupported') return expect(what).toMatch(/image|PDF/)
  const { dropped } = sent
  const text = JSON.stringify(sent.body)
  if (limit?.does === 'drop') {
    expect(text).toMatch(/Look|LONG-CONTEXT/)
    return expect(dropped).not.toEqual([])
  }
  for (const each of evidence) expect(text).toContain(each)
  const { member = feature } = features[feature]
  expect(dropped).not.toContain(member)
})

/** Some vendors take media in some forms only; the refusal of another form names that. */
function sentOrRefused(convert: () => Converted): Converted | 'media_unsupported' {
  try {
    return convert()
  } catch (error) {
    if (error instanceof Problem && error.code === 'media_unsupported') return error.code
    throw error
  }
}

const question = { role: 'user', content: 'Look' }
const signed = [
  {
    asked: 'messages',
    body: {
      model: 'm',
      max_tokens: 100,
      messages: [
        question,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'SIGNED' },
            { type: 'text', text: 'Seen' },
          ],
        },
        question,
      ],
    },
  },
  {
    asked: 'responses',
    body: {
      model: 'm',
      input: [
        question,
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'SIGNED' },
        { role: 'assistant', content: 'Seen' },
        question,
      ],
    },
  },
  {
    asked: 'generate',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Look' }] },
        {
          role: 'model',
          parts: [{ text: 'hm', thought: true, thoughtSignature: 'SIGNED' }, { text: 'Seen' }],
        },
        { role: 'user', parts: [{ text: 'Look' }] },
      ],
    },
  },
] as const

/** Chat completions have no signatures of their own: what callers send back as details is passed on. */
const { upstream: chatUpstream } = conversations.chat
const signing = [...codecs].filter(([codec]) => codec.name !== undefined && codec !== chatUpstream)

it.each(signed.flatMap((each) => signing.map(([codec, to]) => ({ ...each, codec, to }))))(
  'signed reasoning from a $asked caller to $to reaches only the vendor that signed it',
  ({ asked, body, codec }) => {
    const text = JSON.stringify(converted(asked, codec, body).body)
    expect(text).toContain('Seen')
    expect(text.includes('SIGNED')).toBe(codec.name === conversations[asked].caller.name)
  },
)
