import { memberNames } from '../canonical/members.ts'
import { omitUndefined } from '../canonical/omit-undefined.ts'
import { resolveReference } from '../canonical/schema-reference.ts'
import { isRecord, type JsonObject, listAt } from '../json.ts'

/** Members of Gemini's schema objects: https://ai.google.dev/api/caching#Schema */
const KNOWN = memberNames(
  `type format title description nullable enum items properties required minimum maximum minItems maxItems
   minLength maxLength minProperties maxProperties pattern example default propertyOrdering`,
)

const DEPTH_MAX = 64
/**
 * Maximum number of expanded references. Expansion can double at each level: a definition that is used twice
 * is copied twice, and one used inside it four times.
 */
const REFERENCES_MAX = 1_000
const STRING_FORMATS = new Set(['enum', 'date-time'])

/**
 * Rewrites a JSON schema as a Gemini schema: references are expanded, `oneOf` becomes `anyOf`, `const`
 * becomes an `enum` of one value, and type names are in capitals. Members that Gemini cannot express only
 * narrow the answer, so they are left out.
 */
export function writeSchema(schema: JsonObject): Record<string, unknown> {
  return write(schema, { root: schema, depth: 0, open: [], room: { references: REFERENCES_MAX } })
}

/**
 * Rewrites a Gemini schema as a JSON schema: type names in small letters, counts as numbers, and `nullable`
 * as a `null` type.
 */
export function readSchema(schema: JsonObject): Record<string, unknown> {
  const { nullable, propertyOrdering: _order, defs, ref, ...others } = schema
  const $defs = isRecord(defs) ? readSchemas(defs) : undefined
  const rest = { ...others, ...omitUndefined({ $defs, $ref: definitionAt(ref) }) }
  const read = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, readMember(name, value)]),
  )
  return nullable === true ? withNull(read) : read
}

function withNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { type, enum: values, anyOf } = schema
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: [...anyOf, { type: 'null' }] } : {}),
  }
}

/** Google's JSON encodes 64-bit integers as strings. */
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'])

function readMember(name: string, value: unknown): unknown {
  if (name === 'type') return Array.isArray(value) ? value.map(lowered) : lowered(value)
  if (COUNTS.has(name) && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  if (name === 'properties' && isRecord(value)) return readSchemas(value)
  if ((name === 'items' || name === 'additionalProperties') && isRecord(value)) return readSchema(value)
  if (name === 'anyOf' && Array.isArray(value))
    return value.map((each: unknown) => (isRecord(each) ? readSchema(each) : each))
  return value
}

function readSchemas(schemas: JsonObject): JsonObject {
  const read = Object.entries(schemas).map(([name, value]) => [
    name,
    isRecord(value) ? readSchema(value) : value,
  ])
  return Object.fromEntries(read)
}

function lowered(type: unknown): unknown {
  return typeof type === 'string' ? type.toLowerCase() : type
}

/** Vertex AI refers to `defs`; JSON schemas to `$defs`. */
function definitionAt(reference: unknown): unknown {
  return typeof reference === 'string' ? reference.replace(/^#\/defs\//, '#/$defs/') : reference
}

interface Place {
  readonly root: JsonObject
  readonly depth: number
  /** References that are being expanded. A reference inside itself is not expanded again. */
  readonly open: readonly string[]
  /** References that may still be expanded in the whole schema; shared by all places and counted down. */
  readonly room: { references: number }
}

function write(reported: JsonObject, place: Place): Record<string, unknown> {
  if (place.depth > DEPTH_MAX) return { type: 'OBJECT' }
  const reference = reported['$ref']
  if (typeof reference === 'string') return writeReference(reported, reference, place)
  const schema = merged(reported)
  const inside = { ...place, depth: place.depth + 1 }
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) return writeUnion(schema, alternatives, inside)
  const written = Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => KNOWN.has(name) && !(name === 'default' && value === null))
      .map(([name, value]) => [name, writeMember(name, value, inside)]),
  )
  return typed(written)
}

/**
 * Returns the alternatives of a list of types or of an `anyOf`. An `anyOf` beside a type or beside properties
 * only narrows them and is not an alternative.
 */
function alternativesOf({ type, anyOf, properties }: JsonObject): readonly JsonObject[] | undefined {
  if (Array.isArray(type) && type.length > 1) return type.map((each: unknown) => ({ type: each }))
  const isOpen = type === undefined && properties === undefined
  return isOpen && Array.isArray(anyOf) && anyOf.length > 0 ? anyOf.filter(isRecord) : undefined
}

/**
 * Gemini expresses `null` with `nullable`, and rejects any member beside `anyOf`, so shared members are
 * copied into each alternative.
 */
function writeUnion(
  { type: _type, anyOf: _anyOf, ...shared }: JsonObject,
  alternatives: readonly JsonObject[],
  place: Place,
): Record<string, unknown> {
  const wanted = alternatives.filter((each) => !isNull(each))
  const isNullable = wanted.length < alternatives.length || shared['nullable'] === true
  const written = wanted
    .map((each) => write(wanted.length === 1 ? { ...each, ...shared } : { ...shared, ...each }, place))
    .flatMap((each) => (Array.isArray(each['anyOf']) ? each['anyOf'].filter(isRecord) : [each]))
    .map((each) => (isNullable ? { ...each, nullable: true } : each))
  const [only = { nullable: true }, second] = written
  return second === undefined ? only : { anyOf: written }
}

function isNull(schema: JsonObject): boolean {
  return schema['type'] === 'null' || schema['const'] === null
}

function writeReference(reported: JsonObject, reference: string, place: Place): Record<string, unknown> {
  const target = resolveReference(place.root, reference)
  if (target === undefined || place.open.includes(reference) || place.room.references-- <= 0)
    return { type: 'OBJECT' }
  const { $ref: _reference, ...beside } = reported
  const inside = { ...place, depth: place.depth + 1, open: [...place.open, reference] }
  return write({ ...target, ...beside }, inside)
}

/** Merges the schemas of `allOf`, and replaces `oneOf` and `const` by nearly equivalent members. */
function merged(schema: JsonObject): JsonObject {
  const { allOf, oneOf, const: constant, ...rest } = schema
  const all = Array.isArray(allOf) ? allOf.filter(isRecord) : []
  return {
    ...all.reduce<JsonObject>((sum, each) => joined(sum, each), rest),
    ...(Array.isArray(oneOf) && rest['anyOf'] === undefined ? { anyOf: oneOf } : {}),
    ...(constant === undefined ? {} : { type: rest['type'] ?? typeOf(constant), enum: [constant] }),
  }
}

function typeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

function joined(first: JsonObject, second: JsonObject): JsonObject {
  const properties = { ...recordIn(first, 'properties'), ...recordIn(second, 'properties') }
  const required = [...listAt(first, 'required'), ...listAt(second, 'required')]
  return {
    ...second,
    ...first,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
}

function recordIn(schema: JsonObject, name: string): JsonObject {
  const value = schema[name]
  return isRecord(value) ? value : {}
}

function writeMember(name: string, value: unknown, place: Place): unknown {
  if (name === 'properties' && isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([each, schema]) => [each, isRecord(schema) ? write(schema, place) : {}]),
    )
  return name === 'items' ? writeItems(value, place) : value
}

/** Gemini cannot express a list with a schema for each position; the first schema is used for all items. */
function writeItems(value: unknown, place: Place): unknown {
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [value]
  return isRecord(first) ? write(first, place) : {}
}

function typed({ type: reported, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const [type]: readonly unknown[] = Array.isArray(reported) ? reported : [reported]
  if (typeof type !== 'string') return suited(rest, undefined)
  return { type: type.toUpperCase(), ...suited(rest, type.toLowerCase()) }
}

const OF_OBJECTS = ['properties', 'required', 'minProperties', 'maxProperties', 'propertyOrdering']
const OF_ARRAYS = ['items', 'minItems', 'maxItems']
const OF_EITHER = [...OF_OBJECTS, ...OF_ARRAYS]
/** Members that do not apply to a type; Gemini rejects them there. */
const FOREIGN = new Map([
  ['object', OF_ARRAYS],
  ['array', OF_OBJECTS],
  ...['string', 'number', 'integer', 'boolean'].map((type) => [type, OF_EITHER] as const),
])

function without(written: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(written).filter(([name]) => !names.includes(name)))
}

/** Leaves out an `enum` or a `format` that Gemini rejects for the type. */
function suited(written: Record<string, unknown>, type: string | undefined): Record<string, unknown> {
  const { format, enum: values, properties, ...rest } = without(written, FOREIGN.get(type ?? '') ?? [])
  const isText = type === 'string' || (type === undefined && Array.isArray(values))
  const keepsFormat = typeof format === 'string' && (type !== 'string' || STRING_FORMATS.has(format))
  const isEmpty = !isRecord(properties) || Object.keys(properties).length === 0
  return {
    ...(keepsFormat ? { format } : {}),
    ...(isText && Array.isArray(values) ? { enum: values.filter((each) => each !== null).map(String) } : {}),
    ...(isText && type === undefined ? { type: 'STRING' } : {}),
    ...(isEmpty ? {} : { properties }),
    ...rest,
  }
}
