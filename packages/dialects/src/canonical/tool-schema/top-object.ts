import { isRecord, listAt, recordAt, textAt, type JsonObject } from '../../json.ts'
import { resolveReference } from '../schema-reference.ts'

/** Members that vendors refuse at the top of a tool's schema. */
const UNSAID = ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'] as const
const UNIONS = ['oneOf', 'anyOf'] as const
/** How deep unions and references may be nested in each other at the top. */
const NESTED_MAX = 16
const REMARK_CHARACTERS_MAX = 2_000

/**
 * Rewrites a schema so that its top is one object without unions: their properties are merged, a property is
 * required if all alternatives require it, and the rule itself becomes text of the description.
 */
export function mergeIntoObject(schema: JsonObject): JsonObject {
  const top = mergedObject(schema, { root: schema, nested: 0 })
  const rules = UNSAID.flatMap((name) =>
    schema[name] === undefined ? [] : [`${name}: ${rule(schema[name])}`],
  )
  const { type } = schema
  const isOther = typeof type === 'string' && type.toLowerCase() !== 'object'
  if (isOther) rules.push(`type: ${type}`)
  const description = [textAt(top.others, 'description'), remark(rules)].filter(Boolean).join('\n')
  return {
    ...top.others,
    type: 'object',
    properties: top.properties,
    ...(top.required.length > 0 ? { required: top.required } : {}),
    ...(description === '' ? {} : { description }),
  }
}

function rule(value: unknown): string {
  const written = JSON.stringify(value)
  return written.length <= REMARK_CHARACTERS_MAX
    ? written
    : `${written.slice(0, REMARK_CHARACTERS_MAX).toWellFormed()}…`
}

function remark(rules: readonly string[]): string | undefined {
  return rules.length === 0 ? undefined : `The arguments must follow this rule: ${rules.join('; ')}`
}

interface MergedObject {
  readonly properties: JsonObject
  readonly required: readonly string[]
  /** The members that stay beside properties. */
  readonly others: JsonObject
}

interface MergePlace {
  readonly root: JsonObject
  readonly nested: number
}

function mergedObject(schema: JsonObject, place: MergePlace): MergedObject {
  const { root, nested } = place
  const { $ref: reference, type: _type, properties: _properties, required, ...rest } = schema
  const inside = { root, nested: nested + 1 }
  const own: MergedObject = {
    properties: recordAt(schema, 'properties') ?? {},
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    others: Object.fromEntries(
      Object.entries(rest).filter(([name]) => !UNSAID.some((each) => each === name)),
    ),
  }
  if (nested > NESTED_MAX) return own
  const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined
  const all = [...(target === undefined ? [] : [target]), ...listAt(schema, 'allOf').filter(isRecord)]
  const joined = all.map((each) => mergedObject(each, inside)).reduce(joinBoth, own)
  return UNIONS.reduce((sum, name) => {
    const alternatives = listAt(schema, name).filter(isRecord).filter(isNoNull)
    if (alternatives.length === 0) return sum
    return joinBoth(sum, joinAlternatives(alternatives.map((each) => mergedObject(each, inside))))
  }, joined)
}

function isNoNull({ type }: JsonObject): boolean {
  return type !== 'null'
}

/** Both hold. What the first says about a property or beside the properties is kept. */
function joinBoth(first: MergedObject, second: MergedObject): MergedObject {
  return {
    properties: { ...second.properties, ...first.properties },
    required: [...new Set([...first.required, ...second.required])],
    others: { ...second.others, ...first.others },
  }
}

/** One of them holds: nothing is closed, and only what all require is required. */
function joinAlternatives(alternatives: readonly MergedObject[]): MergedObject {
  const names = new Set(alternatives.flatMap(({ properties }) => Object.keys(properties)))
  const properties = [...names].map((name) => [name, eitherSchema(schemasNamed(name, alternatives))] as const)
  const [first, ...others] = alternatives
  return {
    properties: Object.fromEntries(properties),
    required: (first?.required ?? []).filter((name) =>
      others.every(({ required }) => required.includes(name)),
    ),
    others: {},
  }
}

function schemasNamed(name: string, alternatives: readonly MergedObject[]): readonly unknown[] {
  return alternatives.flatMap(({ properties }) => (Object.hasOwn(properties, name) ? [properties[name]] : []))
}

function eitherSchema(schemas: readonly unknown[]): unknown {
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]))
  const [only, ...others] = different.values()
  return others.length === 0 ? only : { anyOf: [only, ...others] }
}
