import { expect, it } from 'vitest'
import { newRoute, routeFault, type RouteRow, routeRows, routeTable } from './route-rows.ts'

const table = [
  {
    incoming_path: '/v1/chat/completions',
    upstream_path: '/api/{model}/chat',
    converter: 'none',
    models: ['gpt-4o', 're:^o[1,3]'],
    auth: { type: 'header', name: 'x-key', value: 'Key {api_key}' },
    note: 'kept',
  },
  { incoming_path: '/v1/messages', upstream_path: 'https://other.example/chat', auth: { type: 'bearer' } },
]

it('converts a route table to rows and back', () => {
  const rows = routeRows(table)
  expect(rows?.map(({ models, auth, authName }) => ({ models, auth, authName }))).toEqual([
    { models: 'gpt-4o\nre:^o[1,3]', auth: 'header', authName: 'x-key' },
    { models: '', auth: 'bearer', authName: '' },
  ])
  expect(routeTable(rows ?? [])).toEqual(table)
  expect(routeRows(undefined)).toEqual([])
  expect(routeTable([])).toBeUndefined()
})

it.each([
  {},
  ['a'],
  [{ models: 'gpt' }],
  [{ auth: { type: 'magic' } }],
  [{ auth: { more: 1 } }],
  [{ auth: [] }],
])('does not convert %j to rows', (value) => {
  expect(routeRows(value)).toBeUndefined()
})

it.each<[Partial<RouteRow>, ReturnType<typeof routeFault>]>([
  [{}, undefined],
  [{ incoming: 'v1/chat' }, 'incoming'],
  [{ upstream: '' }, 'upstream'],
  [{ upstream: 'ftp://x' }, 'upstream'],
  [{ auth: 'query' }, 'authName'],
  [{ auth: 'query', authName: 'key' }, undefined],
  [{ models: 'gpt-4o, re:(' }, 'pattern'],
  [{ models: 're:(' }, 'pattern'],
])('%o: %s', (part, fault) => {
  expect(routeFault({ ...newRoute, ...part })).toBe(fault)
})
