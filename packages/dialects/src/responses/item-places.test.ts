import { describe, expect, it } from 'vitest'
import { ReplyCollector } from '../canonical/collect.ts'
import type { JsonObject } from '../json.ts'
import { responsesUpstream } from './codec.ts'

/** Streams of two interleaved calls and a text, by servers that name the items of a response in odd ways. */

const items = [
  { id: 'fc_1', type: 'function_call', call_id: 'call_a', name: 'first' },
  { id: 'fc_2', type: 'function_call', call_id: 'call_b', name: 'second' },
]
const pieces = [
  ['{"x":', '"a"', '}'],
  ['{"y":', '"b"', '}'],
]

function interleaved(): JsonObject[] {
  const added = items.map((item, output_index) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, arguments: '' },
  }))
  const deltas = [0, 1, 2].flatMap((turn) =>
    items.map((item, output_index) => ({
      type: 'response.function_call_arguments.delta',
      output_index,
      item_id: item.id,
      delta: pieces[output_index]?.[turn],
    })),
  )
  const done = items.map((item, output_index) => ({
    type: 'response.output_item.done',
    output_index,
    item: { ...item, arguments: pieces[output_index]?.join('') },
  }))
  return [...added, ...deltas, ...done]
}

function sequential(): JsonObject[] {
  const all = interleaved()
  return items.flatMap((_, index) => all.filter((event) => event['output_index'] === index))
}

const completed = {
  type: 'response.completed',
  response: { id: 'r1', status: 'completed', usage: { input_tokens: 1, output_tokens: 1 } },
}

function readCalls(events: readonly JsonObject[]): unknown {
  const reader = responsesUpstream.openReader(responsesUpstream.readUsage)
  const collector = new ReplyCollector()
  for (const event of [...events, completed])
    for (const read of reader.push({ event: undefined, data: JSON.stringify(event) })) collector.push(read)
  const [choice] = collector.reply().choices
  return choice?.parts.map((part) => part.type === 'tool-call' && [part.name, part.arguments])
}

function without(events: readonly JsonObject[], ...names: readonly string[]): JsonObject[] {
  return events.map((event) => {
    const kept = Object.entries(event).filter(([name]) => !names.includes(name))
    const item =
      'item' in event && names.includes('item.id')
        ? { item: { ...Object(event['item']), id: undefined } }
        : {}
    return { ...Object.fromEntries(kept), ...item }
  })
}

let renamed = 0
const newIdInEach = (event: JsonObject): JsonObject => {
  renamed++
  return 'item' in event
    ? { ...event, item: { ...Object(event['item']), id: `other_${renamed}` } }
    : { ...event, item_id: `other_${renamed}` }
}
const sameIndex = (event: JsonObject): JsonObject => ({ ...event, output_index: 0 })

describe('the items of a response', () => {
  it.each<[string, JsonObject[]]>([
    ['ids and indices', interleaved()],
    ['index 0 for all', interleaved().map(sameIndex)],
    ['no index', without(interleaved(), 'output_index')],
    ['no ids of items in deltas', without(interleaved(), 'item_id')],
    ['no ids at all', without(interleaved(), 'item_id', 'item.id')],
    ['a new id in each event', interleaved().map(newIdInEach)],
    [
      'one after the other, index 0 for all and no ids',
      without(sequential().map(sameIndex), 'item_id', 'item.id'),
    ],
    ['one after the other, no index and no ids', without(sequential(), 'output_index', 'item_id', 'item.id')],
    [
      'one after the other, index 0 for all and a new id in each event',
      sequential().map(sameIndex).map(newIdInEach),
    ],
    [
      'deltas before their item was announced',
      interleaved().filter(({ type }) => type !== 'response.output_item.added'),
    ],
  ])('keep their own arguments: %s', (_name, events) => {
    expect(readCalls(events)).toEqual([
      ['first', '{"x":"a"}'],
      ['second', '{"y":"b"}'],
    ])
  })
})
