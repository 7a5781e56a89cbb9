import { defineRoute, nothing } from '@tollgate/contract/route'
import type { RouteDefinition } from '@tollgate/contract/route'
import { allRoutes } from '@tollgate/contract/routes'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bind } from '../services/handler.ts'
import type { BoundRoute } from '../services/handler.ts'
import { checkRegistry } from './registry.ts'

const route = defineRoute({
  method: 'GET',
  path: '/api/thing',
  access: 'user',
  owner: 'self',
  rate: 'api',
  bodyBytesMax: 1024,
  changesState: false,
  isBillable: false,
  signIn: 'any',
  summary: 'A thing',
  params: nothing,
  query: nothing,
  body: nothing,
  data: z.null(),
})
const handled = (one: RouteDefinition): BoundRoute => bind(one, () => Promise.resolve(null))

test('the full route table passes when every route has a handler', () => {
  expect(() => checkRegistry(allRoutes, allRoutes.map(handled))).not.toThrow()
})

test.each(Object.keys(route).filter((field) => field !== 'extra'))(
  'a route without %s prevents the start',
  (field) => {
    const incomplete = { ...route }
    Reflect.deleteProperty(incomplete, field)
    expect(() => checkRegistry([incomplete], [handled(incomplete)])).toThrow(field)
  },
)

test('a route without a handler, with two, or a handler without a route prevents the start', () => {
  expect(() => checkRegistry([route], [])).toThrow('GET /api/thing: has no handler')
  expect(() => checkRegistry([route], [handled(route), handled(route)])).toThrow('has two handlers')
  expect(() => checkRegistry([], [handled(route)])).toThrow('is not in the route table')
  expect(() => checkRegistry([route, route], [handled(route)])).toThrow('named twice')
})

test.each<[string, RouteDefinition]>([
  ['a method other than GET changes state', { ...route, method: 'POST' }],
  ['a plain user changes only what is theirs', { ...route, changesState: true, owner: 'site' }],
  ['the parameters are not those of the path', { ...route, path: '/api/thing/:id' }],
  [
    'its condition asks for no more than the route itself',
    { ...route, signIn: 'recent', guardedWhen: { condition: 'it is Monday', signIn: 'recent' } },
  ],
  ['path', { ...route, path: '/api/thing/' }],
  ['bodyBytesMax', { ...route, bodyBytesMax: 0 }],
])('a broken route is refused because of: %s', (fault, broken) => {
  expect(() => checkRegistry([broken], [handled(broken)])).toThrow(fault)
})
