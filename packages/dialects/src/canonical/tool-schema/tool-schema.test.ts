import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { normalizeToolSchema } from './tool-schema.ts'

const string = { type: 'string' }
// Written as text, because the linter takes an object with `then` for a promise.
const CONDITION: unknown = JSON.parse(
  '{"if":{"properties":{"mode":{"const":"p"}}},"then":{"required":["proposal"]}}',
)
const strict = { needsItems: true, needsListedNames: true }
const loose = { needsItems: false, needsListedNames: false }

describe('the top of a schema', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'alternatives share what all of them require',
      {
        type: 'object',
        oneOf: [
          { properties: { id: string, n: string }, required: ['n', 'id'] },
          { properties: { url: string, n: { type: 'number' } }, required: ['n'] },
        ],
      },
      {
        properties: { id: string, n: { anyOf: [string, { type: 'number' }] }, url: string },
        required: ['n'],
      },
    ],
    [
      'alternatives without a type',
      { anyOf: [{ type: 'object', properties: { a: string } }, { type: 'null' }] },
      { properties: { a: string } },
    ],
    [
      'a condition inside of allOf',
      {
        type: 'object',
        properties: { mode: string },
        allOf: [CONDITION],
      },
      { properties: { mode: string } },
    ],
    [
      'allOf of two objects',
      { allOf: [{ properties: { a: string }, required: ['a'] }, { properties: { b: string } }] },
      { properties: { a: string, b: string }, required: ['a'] },
    ],
    [
      'alternatives by reference',
      { $defs: { A: { properties: { a: string } } }, oneOf: [{ $ref: '#/$defs/A' }] },
      { $defs: { A: { properties: { a: string } } }, properties: { a: string } },
    ],
    ['a list of types', { type: ['object', 'null'], properties: {} }, { properties: {} }],
    ['nothing at all', {}, { properties: {} }],
    ['another type', { type: 'string' }, { properties: {} }],
  ])('%s', (_name, schema, expected) => {
    const { description, ...written } = normalizeToolSchema(schema, loose)
    expect(written).toEqual({ type: 'object', ...expected })
    const isSaid = ['oneOf', 'anyOf', 'allOf'].some((name) => Object.hasOwn(schema, name))
    if (isSaid) expect(description).toMatch(/must follow this rule: (oneOf|anyOf|allOf)/)
  })

  it('a reference becomes the object it names', () => {
    const schema = { $ref: '#/$defs/Args', $defs: { Args: { type: 'object', properties: { a: string } } } }
    expect(normalizeToolSchema(schema, loose)).toMatchObject({ type: 'object', properties: { a: string } })
  })

  it('a reference to itself ends', () => {
    expect(normalizeToolSchema({ $ref: '#', properties: { a: string } }, loose)).toMatchObject({
      properties: { a: string },
    })
  })
})

describe('the inside of a schema', () => {
  it.each<[string, unknown, unknown]>([
    ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'one schema for each position',
      { type: 'array', items: [string, { type: 'number' }] },
      { type: 'array', prefixItems: [string, { type: 'number' }], items: string },
    ],
    ['a flag of draft 4', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['a flag of draft 4 that is off', { maximum: 9, exclusiveMaximum: false }, { maximum: 9 }],
    ['a null of OpenAPI', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['a type that is none', { type: 'any', description: 'x' }, { description: 'x' }],
    ['a type in capitals', { type: 'STRING' }, string],
    ['an empty choice', { type: 'string', enum: [] }, string],
    ['a flag of draft 3', { type: 'string', required: true }, string],
    [
      'another document',
      { $ref: 'https://example.com/a.json' },
      { description: 'See https://example.com/a.json' },
    ],
    ['a required name without property', { type: 'object', required: ['b'] }, { type: 'object' }],
    [
      'a property called type',
      { type: 'object', properties: { type: string, nullable: string } },
      { type: 'object', properties: { type: string, nullable: string } },
    ],
  ])('%s', (_name, value, expected) => {
    expect(normalizeToolSchema({ type: 'object', properties: { value } }, strict)).toEqual({
      type: 'object',
      properties: { value: expected },
    })
  })

  it('references and recursion inside of the schema stay', () => {
    const schema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/Node' } },
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
    }
    expect(normalizeToolSchema(schema, strict)).toEqual(schema)
  })
})
