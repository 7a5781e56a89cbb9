import { isRecord, listAt, recordAt, textAt, type JsonObject } from '../../json.ts'
import { resolveReference } from '../schema-reference.ts'

/** What the target demands; the rows are in the catalogue. */
export interface SchemaDemands {
  readonly needsItems: boolean
  readonly needsListedNames: boolean
}

/** Place of a schema within the schema of a tool. */
export interface SchemaPlace extends SchemaDemands {
  readonly root: JsonObject
}

const TYPES: ReadonlySet<unknown> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
])
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLES: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
])
/** Says which draft a schema follows, which this changes. */
const OF_DRAFTS: ReadonlySet<string> = new Set(['$schema', '$id', 'id', 'nullable'])

/**
 * Rewrites the forms of older drafts of JSON Schema and of OpenAPI as the newest draft, which vendors check
 * against, and leaves out what is invalid in all of them. Meaning stays, except for references to other
 * documents: they become a text.
 */
export function normalizeSchema(schema: JsonObject, place: SchemaPlace): JsonObject {
  const reference = textAt(schema, '$ref')
  if (reference !== undefined && resolveReference(place.root, reference) === undefined)
    return normalizeSchema(withoutReference(schema, reference), place)
  const members = Object.entries(schema)
    .filter(([name]) => !OF_DRAFTS.has(name) || isRecord(schema[name]))
    .flatMap(([name, value]) => normalizeMember(name, value, place))
  return withDemands(withBounds(Object.fromEntries(members), schema), { schema, place })
}

function withoutReference({ $ref: _reference, ...rest }: JsonObject, reference: string): JsonObject {
  const description = [textAt(rest, 'description'), `See ${reference.slice(0, 256)}`]
  return { ...rest, description: description.filter(Boolean).join('\n') }
}

function normalizeMember(name: string, value: unknown, place: SchemaPlace): [string, unknown][] {
  if (MAPS.has(name)) return isRecord(value) ? [[name, normalizeMap(value, place)]] : []
  if (LISTS.has(name)) {
    const schemas = Array.isArray(value) ? value.map((each: unknown) => normalizeValue(each, place)) : []
    return schemas.length === 0 ? [] : [[name, schemas]]
  }
  // Before 2020 a list in `items` was one schema for each position.
  if (name === 'items' && Array.isArray(value)) return normalizeMember('prefixItems', value, place)
  if (SINGLES.has(name)) return [[name, normalizeValue(value, place)]]
  if (name === 'type') return normalizeType(value)
  if (name === 'required') return Array.isArray(value) ? [[name, uniqueTexts(value)]] : []
  if (name === 'enum') return Array.isArray(value) && value.length > 0 ? [[name, value]] : []
  if (value === null && name !== 'default' && name !== 'const') return []
  return [[name, value]]
}

function normalizeMap(schemas: JsonObject, place: SchemaPlace): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, normalizeValue(schema, place)]),
  )
}

function normalizeValue(value: unknown, place: SchemaPlace): unknown {
  if (isRecord(value)) return normalizeSchema(value, place)
  return typeof value === 'boolean' ? value : {}
}

/** OpenAPI and some generators write `any`, `dict` or names in capitals. */
function normalizeType(value: unknown): [string, unknown][] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value]
  const types = [...new Set(listed.map((each) => (typeof each === 'string' ? each.toLowerCase() : each)))]
  const valid = types.filter((type) => TYPES.has(type))
  if (valid.length === 0) return []
  return [['type', valid.length === 1 ? valid[0] : valid]]
}

function uniqueTexts(values: readonly unknown[]): readonly unknown[] {
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}

/** In draft 4 an exclusive bound was a flag beside the bound. */
function withBounds(normalized: JsonObject, schema: JsonObject): JsonObject {
  return BOUNDS.reduce((rest, [bound, exclusive]) => {
    if (typeof schema[exclusive] !== 'boolean') return rest
    const { [exclusive]: flag, [bound]: value, ...others } = rest
    if (value === undefined) return others
    return { ...others, [flag === true ? exclusive : bound]: value }
  }, normalized)
}

const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

interface SchemaDemand {
  readonly schema: JsonObject
  readonly place: SchemaPlace
}

function withDemands(normalized: JsonObject, { schema, place }: SchemaDemand): JsonObject {
  const nullable = schema['nullable'] === true ? withNull(normalized) : normalized
  const types: readonly unknown[] = [nullable['type']].flat()
  const isList = types.includes('array') && nullable['items'] === undefined
  const listed = isList && place.needsItems ? { ...nullable, items: firstItems(nullable) } : nullable
  return place.needsListedNames ? withListedNames(listed) : listed
}

function firstItems(schema: JsonObject): unknown {
  return listAt(schema, 'prefixItems')[0] ?? {}
}

function withNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema
  return {
    ...schema,
    ...(typeof type === 'string' && type !== 'null' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  }
}

function withListedNames(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema
  const properties = recordAt(schema, 'properties')
  if (!Array.isArray(required) || (properties === undefined && rest['type'] !== 'object')) return schema
  const names = required.filter((name) => typeof name === 'string' && Object.hasOwn(properties ?? {}, name))
  return names.length === 0 ? rest : { ...rest, required: names }
}
