import { z } from 'zod'

/** Rules of the new-api family for what the calls of a session have in common. */

const RULES_MAX = 32
const PATTERNS_MAX = 32
const PATTERN_CHARACTERS_MAX = 512
const TTL_SECONDS_MAX = 86_400

const pattern = z.string().min(1).max(PATTERN_CHARACTERS_MAX)
const patterns = z
  .array(pattern)
  .max(PATTERNS_MAX)
  .nullish()
  .transform((list) => list ?? [])
const name = z.string().max(128)

/** Facts about the caller that a rule may use, by the family's names. */
export const AFFINITY_CONTEXTS = ['id', 'token_id', 'token_name', 'username', 'group', 'using_group'] as const

const keySource = z.union([
  z.looseObject({ type: z.literal('gjson'), path: z.string().min(1).max(256) }),
  z.looseObject({ type: z.literal('request_header'), key: z.string().min(1).max(100) }),
  z.looseObject({ type: z.enum(['context_int', 'context_string']), key: z.enum(AFFINITY_CONTEXTS) }),
])

/** Members that have no effect here are kept as they were entered. */
const rule = z.looseObject({
  name: name.min(1),
  model_regex: patterns,
  path_regex: patterns,
  user_agent_include: patterns,
  key_sources: z.array(keySource).min(1).max(8),
  value_regex: z
    .string()
    .max(PATTERN_CHARACTERS_MAX)
    .nullish()
    .transform((text) => text ?? ''),
  ttl_seconds: z
    .int()
    .min(0)
    .max(TTL_SECONDS_MAX)
    .nullish()
    .transform((seconds) => seconds ?? 0),
  skip_retry_on_failure: z
    .boolean()
    .nullish()
    .transform((value) => value === true),
  include_rule_name: z
    .boolean()
    .nullish()
    .transform((value) => value === true),
})

export const affinityRulesSchema = z
  .array(rule)
  .max(RULES_MAX)
  .refine((rules) => new Set(rules.map((each) => each.name)).size === rules.length)

export type StoredAffinityRule = z.infer<typeof rule>
export type AffinityKeySource = z.infer<typeof keySource>
