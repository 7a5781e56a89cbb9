import type { RowShape } from '@tollgate/contract/options/definition'
import { expect, it } from 'vitest'
import { repeatedRows, type Row, rowCodec } from './row-shapes.ts'

it.each<[RowShape, unknown, readonly Row[]]>([
  [
    'numbers',
    { vip: 0.8, default: 1 },
    [
      ['vip', '0.8'],
      ['default', '1'],
    ],
  ],
  ['texts', { 'gpt-4': 'gpt-4o' }, [['gpt-4', 'gpt-4o']]],
  [
    'nested-numbers',
    { vip: { slow: 0.5, fast: 2 } },
    [
      ['vip', 'slow', '0.5'],
      ['vip', 'fast', '2'],
    ],
  ],
  [
    'nested-lists',
    { claude: { beta: ['a', 'b'] } },
    [
      ['claude', 'beta', 'a'],
      ['claude', 'beta', 'b'],
    ],
  ],
  [
    'context-tiers',
    {
      'a*': [
        { above: 5, input: 2, output: 1.5 },
        { above: 9, input: 3, output: 2, cache: 1 },
      ],
    },
    [
      ['a*', '5', '2', '1.5', ''],
      ['a*', '9', '3', '2', '1'],
    ],
  ],
  ['tiers', [{ above: 5, input: 2, output: 1.5 }], [['5', '2', '1.5', '']]],
  ['names', ['a', 'b'], [['a'], ['b']]],
  [
    'labelled-texts',
    [{ Chat: 'x:{key}' }, { Chat: 'y' }],
    [
      ['Chat', 'x:{key}'],
      ['Chat', 'y'],
    ],
  ],
])('%s: %j is lines, and back', (shape, value, rows) => {
  const codec = rowCodec(shape)
  expect(codec.read(JSON.stringify(value))).toEqual(rows)
  expect(JSON.parse(codec.write(rows))).toEqual(value)
})

it.each<[RowShape, string]>([
  ['texts', '[1]'],
  ['texts', '{"a":{}}'],
  ['texts', '{'],
  ['texts', 'null'],
  ['names', '{}'],
  ['nested-numbers', '{"a":1}'],
  ['context-tiers', '{"a":[]}'],
  ['context-tiers', '{"a":[{"above":5,"more":1}]}'],
  ['labelled-texts', '[{"a":"b","c":"d"}]'],
])('%s: no table shows %s', (shape, text) => {
  expect(rowCodec(shape).read(text)).toBeUndefined()
})

it('an empty text has no rows, and empty rows are not written', () => {
  expect(rowCodec('texts').read(' ')).toEqual([])
  expect(JSON.parse(rowCodec('texts').write([['', ' ']]))).toEqual({})
})

it('keeps rows that no map can represent, so that they can be corrected', () => {
  const codec = rowCodec('numbers')
  for (const rows of [
    [
      ['vip', '1'],
      ['vip', '2'],
    ],
    [['', '1']],
  ])
    expect(codec.read(codec.write(rows))).toEqual(rows)
  expect(JSON.parse(codec.write([['vip', 'one']]))).toEqual({ vip: 'one' })
})

it('reports repeated rows where names must be unique', () => {
  expect([
    ...repeatedRows('numbers', [
      ['a', '1'],
      ['b', '1'],
      [' a', '2'],
      ['', ''],
      ['', ''],
    ]),
  ]).toEqual([2])
  expect([
    ...repeatedRows('nested-numbers', [
      ['a', 'b', '1'],
      ['a', 'c', '1'],
      ['a', 'b', '2'],
    ]),
  ]).toEqual([2])
  expect(
    repeatedRows('nested-lists', [
      ['a', 'b', '1'],
      ['a', 'b', '2'],
    ]).size,
  ).toBe(0)
})
