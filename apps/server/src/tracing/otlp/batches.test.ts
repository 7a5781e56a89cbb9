import { decodeTraces } from '@tollgate/testkit/otlp-protobuf'
import { expect, test } from 'vitest'
import { type AttributeValue, CLIENT, type Span, type SpanShape, type TraceIds } from '../span.ts'
import { JsonBatch } from './json-batch.ts'
import { ProtobufBatch } from './protobuf-batch.ts'
import type { SpanBatch } from './span-batch.ts'
import { SpanTemplates } from './span-templates.ts'

const scope = { name: 'tollgate', version: '1.2.3', attributes: { 'service.name': 'gateway 网关' } }
const ids: TraceIds = {
  trace: [0xffff_ffff, 0, 1, 0x8000_0000],
  high: 0x8000_0001,
  low: 0xffff_ffff,
  parent: undefined,
  state: undefined,
}
const shape: SpanShape = { name: 'call', kind: CLIENT, isFailed: false, attributes: [], slots: [] }
const plain: Span = {
  shape,
  ids,
  index: 0,
  startMs: 1_766_000_000_123,
  endMs: 1_766_000_000_123.25,
  values: [],
}

/** Flags are left out: the JSON form does without them. */
function read(batch: SpanBatch): unknown {
  const bytes = batch.finish()
  if (batch.contentType === 'application/json') return JSON.parse(Buffer.from(bytes).toString())
  const text = JSON.stringify(decodeTraces(bytes))
  return JSON.parse(text.replaceAll(/,"flags":\d+/g, '').replaceAll(/"intValue":"(-?\d+)"/g, '"intValue":$1'))
}

function bothForms(spans: readonly Span[]): readonly [unknown, unknown] {
  const batches = [new ProtobufBatch(scope, new SpanTemplates()), new JsonBatch(scope)] as const
  for (const batch of batches) for (const span of spans) batch.add(span)
  return [read(batches[0]), read(batches[1])]
}

test('a span has ids, nanoseconds and status in the form of the protocol', () => {
  const [protobuf] = bothForms([{ ...plain, index: 1, shape: { ...shape, isFailed: true } }])
  expect(protobuf).toMatchObject({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'gateway 网关' } }] },
        scopeSpans: [
          {
            scope: { name: 'tollgate', version: '1.2.3' },
            spans: [
              {
                traceId: 'ffffffff000000000000000180000000',
                spanId: '8000000100000000',
                parentSpanId: '80000001ffffffff',
                startTimeUnixNano: '1766000000123000000',
                endTimeUnixNano: '1766000000123250000',
                status: { code: 2 },
              },
            ],
          },
        ],
      },
    ],
  })
})

const values: readonly (readonly [string, AttributeValue])[] = [
  ['zero', 0],
  ['two bytes', 128],
  ['more than 32 bits', 2 ** 31],
  ['the largest integer', Number.MAX_SAFE_INTEGER],
  ['a negative integer', -5],
  ['a fraction', 0.125],
  ['an empty text', ''],
  ['a text of 127 bytes', 'x'.repeat(127)],
  ['a text of 128 bytes', 'x'.repeat(128)],
  ['Chinese', '价格'],
  ['ASCII with an emoji at its end', `${'x'.repeat(150)}🙂`],
  ['a text that needs a length of three bytes', 'é'.repeat(20_000)],
  ['a text larger than the memory of a new batch', 'long '.repeat(100_000)],
]

test.each(values)('both forms say the same of %s', (name, value) => {
  const [protobuf, json] = bothForms([{ ...plain, more: [name, value, 'last', 1] }])
  expect(protobuf).toEqual(json)
})

const slotted: SpanShape = {
  ...shape,
  attributes: ['model', 'gpt 网关', 'status', 200],
  slots: [
    { name: 'id', type: 'text' },
    { name: 'tokens', type: 'whole' },
    { name: 'seconds', type: 'fraction' },
  ],
}
const remote: TraceIds = { ...ids, parent: [0x00f0_67aa, 0x0ba9_02b7], state: 'vendor=value' }
const others: readonly (readonly [string, readonly AttributeValue[]])[] = [
  ['the largest number of a slot', ['abc', 0xffff_ffff, 2]],
  ['a number too large for its slot', ['abc', 2 ** 32, 0.5]],
  ['a negative number', ['abc', -1, 0.5]],
  ['a fraction in place of a whole number', ['abc', 0.25, 0.5]],
  ['a longer text', ['abcd', 1, 0.5]],
  ['a text that is not ASCII', ['网关x', 1, 0.5]],
  ['a text in place of a number', ['abc', 'x', 0.5]],
]

test.each(others)('both forms say the same of spans of one shape: %s', (_, values) => {
  const spans = [ids, { ...remote, state: undefined }, remote].flatMap((each) =>
    [['xyz', 0, 0.125], values, ['xyz', 7, 3]].flatMap((own) =>
      [0, 1].map((index): Span => {
        const startMs = plain.startMs + index
        return { ...plain, shape: slotted, ids: each, index, startMs, values: own }
      }),
    ),
  )
  const [protobuf, json] = bothForms(spans)
  expect(protobuf).toEqual(json)
})

test('both forms say the same of many spans, with a remote parent and its state', () => {
  const spans = Array.from({ length: 3_000 }, (_, index) => ({
    ...plain,
    ids: remote,
    index,
    startMs: plain.startMs + index * 0.999_999,
    endMs: plain.startMs + 65_536 * index,
    more: ['channel', index],
  }))
  const [protobuf, json] = bothForms(spans)
  expect(protobuf).toEqual(json)
})

test('a batch that is used again has only its new spans', () => {
  const batch = new ProtobufBatch(scope, new SpanTemplates())
  for (const name of ['first', 'x'.repeat(2_000_000), 'third']) {
    batch.add({ ...plain, shape: { ...shape, name } })
    expect(read(batch)).toMatchObject({ resourceSpans: [{ scopeSpans: [{ spans: [{ name }] }] }] })
    batch.clear()
    expect(batch.count).toBe(0)
  }
})
