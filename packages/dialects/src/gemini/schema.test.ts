import { expect, it } from 'vitest'
import { writeSchema } from './schema.ts'

/**
 * Schemas as common generators write them, which Gemini rejects unchanged: it allows nothing beside `anyOf`,
 * and requires a type in every schema.
 */

it.each([
  [
    'a member that may be left out, as Pydantic writes it',
    {
      anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
      default: null,
      title: 'N',
      description: 'd',
    },
    { type: 'INTEGER', minimum: 1, title: 'N', description: 'd', nullable: true },
  ],
  [
    'one of several types or nothing',
    {
      anyOf: [{ type: 'string' }, { type: 'number', description: 'own' }, { type: 'null' }],
      description: 'd',
    },
    {
      anyOf: [
        { type: 'STRING', description: 'd', nullable: true },
        { type: 'NUMBER', description: 'own', nullable: true },
      ],
    },
  ],
  [
    'a list of types',
    {
      type: ['array', 'object'],
      items: { type: 'string' },
      properties: { a: {} },
      required: ['a'],
      title: 't',
    },
    {
      anyOf: [
        { type: 'ARRAY', items: { type: 'STRING' }, title: 't' },
        { type: 'OBJECT', properties: { a: {} }, required: ['a'], title: 't' },
      ],
    },
  ],
  [
    'alternatives that only narrow',
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
  ],
  [
    'alternatives inside of alternatives',
    { oneOf: [{ type: 'string' }, { anyOf: [{ type: 'boolean' }, { type: 'integer' }] }] },
    { anyOf: [{ type: 'STRING' }, { type: 'BOOLEAN' }, { type: 'INTEGER' }] },
  ],
  [
    'a reference or nothing',
    {
      $defs: { city: { type: 'string', enum: ['Bern'] } },
      anyOf: [{ $ref: '#/$defs/city' }, { const: null }],
    },
    { type: 'STRING', enum: ['Bern'], nullable: true },
  ],
  ['a reference that cannot be read', { $ref: '#/%' }, { type: 'OBJECT' }],
  ['a number that is settled', { const: 1 }, { type: 'INTEGER' }],
  ['a text that is settled', { const: 'a' }, { type: 'STRING', enum: ['a'] }],
])('%s in a schema is written for Gemini', (_label, schema, written) => {
  expect(writeSchema(schema)).toEqual(written)
})

const twice = (at: number) => ({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } })

it('limits how many references are expanded', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`d${at}`, { type: 'object', properties: twice(at) }]),
  )
  const written = JSON.stringify(writeSchema({ $defs, $ref: '#/$defs/d0' }))
  expect(written.length).toBeLessThan(1_000_000)
})
