import { z } from 'zod'
import { type About, define, type OptionDefinition, type OptionRows, type Words } from './definition.ts'

/**
 * JSON settings are stored as text. Names chosen by operators are kept in a `Map`, so that no name can reach
 * a prototype.
 */

const JSON_CHARACTERS_MAX = 1_000_000
const ENTRIES_MAX = 20_000
const RATIO_MAX = 1_000_000
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

const RATIO_WORDS = {
  en: `a JSON object of names to numbers from 0 to ${RATIO_MAX}`,
  zh: `名称到数字（0 到 ${RATIO_MAX}）的 JSON 对象`,
}

/** Column titles for table editors; a setting without them is edited elsewhere or as text. */
export const columns = {
  group: { en: 'Group', zh: '分组' },
  usedGroup: { en: 'Group that is used', zh: '使用的分组' },
  model: { en: 'Model', zh: '模型' },
  ratio: { en: 'Ratio', zh: '倍率' },
  description: { en: 'Description', zh: '说明' },
} as const satisfies Record<string, Words>

interface Lines {
  readonly columns?: readonly Words[]
}

export type RatioMap = ReadonlyMap<string, number>

/**
 * Ratios or prices by name: finite and not negative. `undefined` as default means the built-in price table.
 */
export function ratios(
  value: Readonly<Record<string, number>> | undefined,
  about: About & Lines,
): OptionDefinition<RatioMap> {
  return define<RatioMap>({
    kind: 'json',
    ...linesOf('numbers', about),
    default: value && JSON.stringify(value, undefined, 2),
    about,
    allowed: RATIO_WORDS,
    schema: mapText(z.number().min(0).max(RATIO_MAX)),
    print: printMap,
  })
}

/** Ratios by group and group. */
export function nestedRatios(about: About): OptionDefinition<ReadonlyMap<string, RatioMap>> {
  return define<ReadonlyMap<string, RatioMap>>({
    kind: 'json',
    rows: { shape: 'nested-numbers', columns: [columns.group, columns.usedGroup, columns.ratio] },
    default: '{}',
    about,
    allowed: { en: 'a JSON object of groups to groups to ratios', zh: '分组到分组到倍率的 JSON 对象' },
    schema: mapText(z.record(z.string(), z.number().min(0).max(RATIO_MAX)).transform(safeMap)),
    print: (groups) => printMap(new Map([...groups].map(([name, map]) => [name, Object.fromEntries(map)]))),
  })
}

const CONTEXT_TIERS_MAX = 8
const CONTEXT_TOKENS_MAX = 1_000_000_000
const factor = z.number().positive().max(RATIO_MAX)
const contextTier = z.strictObject({
  above: z.int().min(1).max(CONTEXT_TOKENS_MAX),
  input: factor,
  output: factor,
  cache: factor.optional(),
})
type ContextTiers = ReadonlyMap<string, readonly z.infer<typeof contextTier>[]>

/** Price tiers for long calls by model; a model cannot have two tiers with the same threshold. */
export function contextTiers(about: About): OptionDefinition<ContextTiers> {
  const tiers = z
    .array(contextTier)
    .max(CONTEXT_TIERS_MAX)
    .refine((list) => new Set(list.map(({ above }) => above)).size === list.length)
  return define<ContextTiers>({
    kind: 'json',
    rows: {
      shape: 'context-tiers',
      columns: [
        columns.model,
        { en: 'Above tokens', zh: '超过 token 数' },
        { en: 'Input ×', zh: '输入 ×' },
        { en: 'Output ×', zh: '输出 ×' },
        { en: 'Cache ×', zh: '缓存 ×' },
      ],
    },
    default: undefined,
    about,
    allowed: {
      en: `a JSON object of models to lists of up to ${CONTEXT_TIERS_MAX} tiers: above (tokens, each once), input, output and cache (factors above 0; cache may be left out)`,
      zh: `模型到阶梯列表（最多 ${CONTEXT_TIERS_MAX} 项）的 JSON 对象：above（token 数，不可重复）、input、output、cache（大于 0 的倍率，cache 可省略）`,
    },
    schema: mapText(tiers),
    print: printMap,
  })
}

export function textMap(
  value: Readonly<Record<string, string>>,
  about: About & Lines,
): OptionDefinition<ReadonlyMap<string, string>> {
  return define<ReadonlyMap<string, string>>({
    kind: 'json',
    ...linesOf('texts', about),
    default: JSON.stringify(value, undefined, 2),
    about,
    allowed: { en: 'a JSON object of names to texts', zh: '名称到文本的 JSON 对象' },
    schema: mapText(z.string().max(1000)),
    print: printMap,
  })
}

/** Any other JSON value with its own schema. It must not contain user-chosen object keys. */
export function json<Value>(
  schema: z.ZodType<Value>,
  value: Value,
  about: About & { allowed: Words; rows?: OptionRows },
): OptionDefinition<Value> {
  return define<Value>({
    kind: 'json',
    ...(about.rows && { rows: about.rows }),
    default: printJson(value),
    about,
    allowed: about.allowed,
    schema: jsonText().pipe(schema),
    print: printJson,
  })
}

function linesOf(shape: OptionRows['shape'], { columns }: Lines): { rows?: OptionRows } {
  return columns ? { rows: { shape, columns } } : {}
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

/** A list as JSON; empty text is the empty list. */
export function listText<Item>(list: z.ZodType<readonly Item[]>): z.ZodType<readonly Item[], string> {
  return z
    .string()
    .transform((text) => (text === '' ? '[]' : text))
    .pipe(jsonText())
    .pipe(list)
}

function mapText<Value>(value: z.ZodType<Value>): z.ZodType<ReadonlyMap<string, Value>, string> {
  return jsonText()
    .pipe(z.record(z.string().trim().min(1).max(256), value))
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
