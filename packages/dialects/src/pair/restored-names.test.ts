import { expect, it } from 'vitest'
import { restoredReply, RestoredCalls } from './restored-calls.ts'

const originals = new Map([
  ['f', { name: 'f', kind: 'function' as const, propertyNames: new Map([['filter_id_x', 'filter[id]']]) }],
])
const DEEP = `${'[{"a":'.repeat(3_000)}1${'}]'.repeat(3_000)}`

function restore(written: string): string {
  const call = { type: 'tool-call', id: 'c', name: 'f', arguments: written, kind: 'function' } as const
  const choices = [{ parts: [call], end: { reason: 'tool-calls', raw: 'tool_calls' } as const }]
  const [part] = restoredReply({ id: 'r', model: 'm', choices }, originals).choices[0]?.parts ?? []
  return part?.type === 'tool-call' ? part.arguments : ''
}

it.each([
  ['{"filter_id_x":"1","other":{"filter_id_x":2}}', '{"filter[id]":"1","other":{"filter[id]":2}}'],
  ['no JSON', 'no JSON'],
  [`{"filter_id_x":${DEEP}}`, `{"filter_id_x":${DEEP}}`],
])('arguments %.40s get the names of the tool back', (written, restored) => {
  expect(restore(written)).toBe(restored)
})

it('a stream gets them at the end of the call, wherever its pieces were cut', () => {
  const calls = new RestoredCalls(originals)
  const opening = { type: 'tool-call', id: 'c', name: 'f', arguments: '', kind: 'function' } as const
  const place = { choice: 0, part: 0 }
  const events = [
    ...calls.push({ type: 'part-start', ...place, opening }),
    ...['{"filter_', 'id_x":"1"', '}'].flatMap((text) =>
      calls.push({ type: 'arguments-delta', ...place, text }),
    ),
    ...calls.push({ type: 'part-end', ...place }),
  ]
  expect(events.map((event) => (event.type === 'arguments-delta' ? event.text : event.type))).toEqual([
    'part-start',
    '{"filter[id]":"1"}',
    'part-end',
  ])
})
