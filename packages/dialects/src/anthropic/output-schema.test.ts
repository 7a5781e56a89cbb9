import { expect, it } from 'vitest'
import { outputSchema } from './output-schema.ts'

it('closes objects, and moves constraints that Anthropic rejects into the description', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      City: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } }, required: ['name'] },
    },
    type: 'object',
    properties: {
      city: { $ref: '#/$defs/City' },
      count: { type: 'integer', minimum: 1, description: 'How many.' },
      when: { type: 'string', format: 'date' },
      tags: { type: 'array', items: { type: 'string', format: 'slug' }, minItems: 1, maxItems: 3 },
      kind: { oneOf: [{ const: 'a' }, { type: 'null' }], default: null },
    },
    required: ['city'],
    additionalProperties: true,
  }
  expect(outputSchema(schema)).toEqual({
    $defs: {
      City: {
        type: 'object',
        properties: { name: { type: 'string', description: 'maxLength: 9' } },
        required: ['name'],
        additionalProperties: false,
      },
    },
    type: 'object',
    properties: {
      city: { $ref: '#/$defs/City' },
      count: { type: 'integer', description: 'How many.\nminimum: 1' },
      when: { type: 'string', format: 'date' },
      tags: {
        type: 'array',
        items: { type: 'string', description: 'format: "slug"' },
        minItems: 1,
        description: 'maxItems: 3',
      },
      kind: { anyOf: [{ const: 'a' }, { type: 'null' }], description: 'default: null' },
    },
    required: ['city'],
    additionalProperties: false,
  })
})

it('checks a definition once even if many references point to it', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`d${at}`, { type: 'object', properties: twice(at) }]),
  )
  const last = { d60: { type: 'string' } }
  expect(outputSchema({ $defs: { ...$defs, ...last }, $ref: '#/$defs/d0' })).toBeDefined()
})

function twice(at: number) {
  const next = { $ref: `#/$defs/d${at + 1}` }
  return { a: next, b: next }
}

const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }

it.each([
  ['any object', { type: 'object' }],
  [
    'a map',
    { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'string' } } } },
  ],
  ['anything', { type: 'object', properties: { a: true } }],
  ['what holds itself', { $defs: { node }, $ref: '#/$defs/node' }],
  ['what lies elsewhere', { type: 'object', properties: { a: { $ref: 'https://a.test/b' } } }],
])('returns undefined for a schema of %s', (_label, schema) => {
  expect(outputSchema(schema)).toBeUndefined()
})
