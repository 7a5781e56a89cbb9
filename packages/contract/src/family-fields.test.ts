import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { familyFields, defineRefusedField } from './family-fields.ts'
import type { RouteDefinition } from './route.ts'
import { routes } from './routes.ts'

const all: readonly RouteDefinition[] = Object.values(routes).flatMap((group) => Object.values(group))

function bodyFields(name: string): readonly string[] {
  const route = all.find(({ method, path }) => `${method} ${path}` === name)
  const shape = route && 'shape' in route.body ? route.body.shape : undefined
  return Object.keys(z.record(z.string(), z.unknown()).parse(shape))
}

describe('a field of new-api that ends or limits something', () => {
  it.each(familyFields)('$field of $route is part of the contract', ({ route, field }) => {
    expect(bodyFields(route)).toContain(field)
  })

  it.each([undefined, null, '', false, 0, {}, [], '{}', ' [] ', 'null'])('says nothing as %j', (value) => {
    expect(z.object({ field: defineRefusedField() }).safeParse({ field: value }).success).toBe(true)
  })

  it.each([true, 1, 'x', ['a'], { channel: { read: true } }, '{"temperature":0}'])(
    'is refused in words as %j',
    (value) => {
      const { error } = z.object({ field: defineRefusedField() }).safeParse({ field: value })
      expect(error?.issues[0]?.message).toBe('family_field_refused')
    },
  )
})
