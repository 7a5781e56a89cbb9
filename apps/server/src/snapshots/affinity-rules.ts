import type { AffinityKeySource, StoredAffinityRule } from '@tollgate/contract/options/affinity-rules'
import { RE2JS } from 're2js'

/** A rule of the site for what the calls of a session have in common. */
export interface AffinityRule {
  readonly name: string
  /** Part of the session; "" where rules share the values they find. */
  readonly prefix: string
  readonly sources: readonly AffinityKeySource[]
  /** `undefined` is what the site has set. */
  readonly lifetimeMs: number | undefined
  /** When the channel of the session fails, no other is tried. */
  readonly staysOnFailure: boolean
  readonly takes: (call: RuledCall) => boolean
  readonly takesModel: (model: string) => boolean
  readonly takesValue: (value: string) => boolean
}

export interface RuledCall {
  readonly model: string
  readonly path: string
  readonly userAgent: string
}

/** `onFault` gets each pattern that cannot be read; its rule is left out. */
export function affinityRules(
  stored: readonly StoredAffinityRule[],
  onFault: (pattern: string) => void,
): readonly AffinityRule[] {
  return stored.flatMap((rule) => {
    const models = compiled(rule.model_regex, onFault)
    const paths = compiled(rule.path_regex, onFault)
    const values = compiled(rule.value_regex === '' ? [] : [rule.value_regex], onFault)
    if (models === undefined || paths === undefined || values === undefined) return []
    const agents = rule.user_agent_include.map((text) => text.toLowerCase())
    return [
      {
        name: rule.name,
        prefix: rule.include_rule_name ? rule.name : '',
        sources: rule.key_sources,
        lifetimeMs: rule.ttl_seconds === 0 ? undefined : rule.ttl_seconds * 1000,
        staysOnFailure: rule.skip_retry_on_failure,
        takes: ({ model, path, userAgent }) =>
          fits(models, model) && fits(paths, path) && isOneOf(agents, userAgent.toLowerCase()),
        takesModel: (model) => fits(models, model),
        takesValue: (value) => fits(values, value),
      },
    ]
  })
}

function compiled(
  patterns: readonly string[],
  onFault: (pattern: string) => void,
): readonly RE2JS[] | undefined {
  const read = patterns.map((pattern) => {
    try {
      return RE2JS.compile(pattern)
    } catch {
      onFault(pattern)
      return undefined
    }
  })
  const all = read.filter((each) => each !== undefined)
  return all.length === read.length ? all : undefined
}

/** No pattern fits everything. */
function fits(patterns: readonly RE2JS[], text: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => pattern.matcher(text).find())
}

function isOneOf(parts: readonly string[], text: string): boolean {
  return parts.length === 0 || parts.some((part) => text.includes(part))
}
