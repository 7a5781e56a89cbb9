import { ownValue } from '@tollgate/kit/own-value'
import { resolveReference } from '../canonical/schema-reference.ts'
import { isRecord, recordAt, textAt, type JsonObject, listAt } from '../json.ts'

/**
 * Rewrites a JSON schema into the subset that Anthropic accepts for structured outputs: objects are closed,
 * and the limits on numbers, strings and arrays that Anthropic rejects are written into the description.
 * Returns `undefined` where the result would be a different schema: for maps, for "any value" schemas and for
 * recursive schemas. https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function outputSchema(schema: JsonObject): JsonObject | undefined {
  return isExpressible(schema, { root: schema, open: [], known: new Set() }) ? write(schema) : undefined
}

/** Maximum length of a chain of `$ref`s. Each reference adds one level of recursion. */
const REFERENCES_DEEP = 64

interface Place {
  readonly root: JsonObject
  /** References that are being resolved; a repeated one means that the schema is recursive. */
  readonly open: readonly string[]
  /** References already found to be expressible, so that each is checked only once. */
  readonly known: Set<string>
}

function isExpressible(schema: unknown, place: Place): boolean {
  if (!isRecord(schema)) return false
  const { root, open, known } = place
  const reference = textAt(schema, '$ref')
  if (reference !== undefined) {
    if (known.has(reference)) return true
    if (open.length >= REFERENCES_DEEP || open.includes(reference)) return false
    const isFine = isExpressible(resolveReference(root, reference), { ...place, open: [...open, reference] })
    if (isFine) known.add(reference)
    return isFine
  }
  const properties = Object.values(recordAt(schema, 'properties') ?? {})
  if (schema['type'] === 'object' && properties.length === 0) return false
  const items = schema['items'] === undefined ? [] : [schema['items']]
  return [...properties, ...items, ...LISTS.flatMap((name) => listAt(schema, name))].every((each) =>
    isExpressible(each, place),
  )
}

const LISTS = ['anyOf', 'oneOf', 'allOf'] as const

type Writer = (value: unknown) => Readonly<Record<string, unknown>> | undefined

const writers: Readonly<Record<string, Writer>> = {
  ...asTold('type', 'enum', 'const', 'title', 'description', 'required', '$ref'),
  properties: (value) => ({ properties: writeAll(value) }),
  $defs: (value) => ({ $defs: writeAll(value) }),
  definitions: (value) => ({ definitions: writeAll(value) }),
  items: (value) => ({ items: writeEach(value) }),
  anyOf: (value) => ({ anyOf: writeList(value) }),
  oneOf: (value) => ({ anyOf: writeList(value) }),
  allOf: (value) => ({ allOf: writeList(value) }),
  format: (value) => (FORMATS.has(value) ? { format: value } : undefined),
  minItems: (value) => (value === 0 || value === 1 ? { minItems: value } : undefined),
  // Left out here: every object is written as closed anyway.
  additionalProperties: () => ({}),
  $schema: () => ({}),
  $id: () => ({}),
}

const FORMATS: ReadonlySet<unknown> = new Set(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
)

function asTold(...names: readonly string[]): Record<string, Writer> {
  return Object.fromEntries(names.map((name) => [name, (value: unknown) => ({ [name]: value })]))
}

function write(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).map(([name, value]) => ({
    written: ownValue(writers, name)?.(value),
    name,
    value,
  }))
  const own = textAt(schema, 'description')
  const limits = members.flatMap(({ written, name, value }) =>
    written === undefined ? [`${name}: ${JSON.stringify(value)}`] : [],
  )
  const description = [...(own === undefined ? [] : [own]), ...limits].join('\n')
  return {
    ...Object.assign({}, ...members.map(({ written }) => written)),
    ...(isRecord(schema['properties']) && { additionalProperties: false }),
    ...(description !== '' && { description }),
  }
}

function writeAll(value: unknown): JsonObject {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, writeEach(each)]))
}

function writeList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.map(writeEach) : []
}

function writeEach(value: unknown): unknown {
  return isRecord(value) ? write(value) : value
}
