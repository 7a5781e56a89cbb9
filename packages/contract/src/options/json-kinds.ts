import { z } from 'zod'
import { define } from './kinds.ts'
import type { About, OptionDefinition } from './kinds.ts'

/** JSON settings arrive as text. Keys of users live in a `Map`, so that no name can reach a prototype. */

const JSON_CHARACTERS_MAX = 1_000_000
const ENTRIES_MAX = 20_000
const RATIO_MAX = 1_000_000
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

const RATIO_WORDS = {
  en: `a JSON object of names to numbers from 0 to ${RATIO_MAX}`,
  zh: `名称到数字（0 到 ${RATIO_MAX}）的 JSON 对象`,
}

export type RatioMap = ReadonlyMap<string, number>

/** Names to ratios or prices: finite, not negative. `undefined` as default: the built-in price table. */
export function ratios(
  value: Readonly<Record<string, number>> | undefined,
  about: About,
): OptionDefinition<RatioMap> {
  return define<RatioMap>({
    kind: 'json',
    default: value && JSON.stringify(value, undefined, 2),
    about,
    allowed: RATIO_WORDS,
    schema: mapText(z.number().min(0).max(RATIO_MAX)),
    print: printMap,
  })
}

/** Group to group to ratio. */
export function nestedRatios(about: About): OptionDefinition<ReadonlyMap<string, RatioMap>> {
  return define<ReadonlyMap<string, RatioMap>>({
    kind: 'json',
    default: '{}',
    about,
    allowed: { en: 'a JSON object of groups to groups to ratios', zh: '分组到分组到倍率的 JSON 对象' },
    schema: mapText(z.record(z.string(), z.number().min(0).max(RATIO_MAX)).transform(safeMap)),
    print: (groups) => printMap(new Map([...groups].map(([name, map]) => [name, Object.fromEntries(map)]))),
  })
}

export function textMap(
  value: Readonly<Record<string, string>>,
  about: About,
): OptionDefinition<ReadonlyMap<string, string>> {
  return define<ReadonlyMap<string, string>>({
    kind: 'json',
    default: JSON.stringify(value, undefined, 2),
    about,
    allowed: { en: 'a JSON object of names to texts', zh: '名称到文本的 JSON 对象' },
    schema: mapText(z.string().max(1000)),
    print: printMap,
  })
}

/** Any other JSON value with a schema of its own; it must not hold keys a user chose. */
export function json<Value>(
  schema: z.ZodType<Value>,
  value: Value,
  about: About & { allowed: { en: string; zh: string } },
): OptionDefinition<Value> {
  return define<Value>({
    kind: 'json',
    default: printJson(value),
    about,
    allowed: about.allowed,
    schema: jsonText().pipe(schema),
    print: printJson,
  })
}

function jsonText(): z.ZodType<unknown, string> {
  return z
    .string()
    .max(JSON_CHARACTERS_MAX)
    .transform((text, context) => {
      try {
        return JSON.parse(text, dropUnsafe) as unknown
      } catch (cause) {
        context.addIssue({ code: 'custom', message: cause instanceof Error ? cause.message : 'not JSON' })
        return z.NEVER
      }
    })
}

function mapText<Value>(value: z.ZodType<Value>): z.ZodType<ReadonlyMap<string, Value>, string> {
  return jsonText()
    .pipe(z.record(z.string().min(1).max(256), value))
    .refine((object) => Object.keys(object).length <= ENTRIES_MAX)
    .transform(safeMap)
}

function safeMap<Value>(object: Record<string, Value>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(object))
}

function dropUnsafe(key: string, value: unknown): unknown {
  return UNSAFE_KEYS.has(key) ? undefined : value
}

function printMap(map: ReadonlyMap<string, unknown>): string {
  return printJson(Object.fromEntries(map))
}

function printJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}
