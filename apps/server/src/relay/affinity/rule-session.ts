import type { IncomingHttpHeaders } from 'node:http'
import type { AffinityKeySource } from '@tollgate/contract/options/affinity-rules'
import { atPath } from '@tollgate/providers/override/paths'
import type { AffinityRule } from '../../snapshots/affinity-rules.ts'
import type { Caller } from '../stations/admit/caller.ts'

export interface RuledQuestion {
  readonly model: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  readonly caller: Pick<Caller, 'owner' | 'token'>
  readonly group: string
}

export interface RuleSession {
  readonly rule: AffinityRule
  /** Not yet a hash, and not yet different for each owner. */
  readonly name: string
}

/** Like the names that callers give their sessions. */
const VALUE_CHARACTERS_MAX = 255

/** The session by the first rule that takes the call and finds a value in it; `undefined` where none does. */
export function ruleSession(
  question: RuledQuestion,
  rules: readonly AffinityRule[],
): RuleSession | undefined {
  const { model, path, headers } = question
  const call = { model, path, userAgent: headers['user-agent'] ?? '' }
  for (const rule of rules) {
    if (!rule.takes(call)) continue
    for (const source of rule.sources) {
      const value = textOf(valueOf(source, question))
      if (value !== undefined && rule.takesValue(value)) return { rule, name: ruledName(rule, value) }
    }
  }
  return undefined
}

/** The name of the session of all calls with this value; "" takes the first value that the caller alone decides. */
export function sessionWithValue(
  rule: AffinityRule,
  value: string,
  question: Pick<RuledQuestion, 'caller' | 'group'>,
): string | undefined {
  const facts = rule.sources.map((source) => valueOf(source, { ...question, headers: {}, body: {} }))
  const found = [value, ...(value === '' ? facts : [])].map(textOf)
  const taken = found.find((each) => each !== undefined && rule.takesValue(each))
  return taken === undefined ? undefined : ruledName(rule, taken)
}

function ruledName({ prefix }: AffinityRule, value: string): string {
  return `rule ${prefix}\n${value}`
}

type ValueQuestion = Pick<RuledQuestion, 'headers' | 'body' | 'caller' | 'group'>

function valueOf(source: AffinityKeySource, question: ValueQuestion): unknown {
  if (source.type === 'gjson') return atPath(question.body, source.path)
  if (source.type === 'request_header') return question.headers[source.key.toLowerCase()]
  const { owner, token } = question.caller
  const facts = {
    id: owner.id,
    token_id: token?.id,
    token_name: token?.name,
    username: owner.username,
    group: owner.group,
    using_group: question.group,
  }
  return facts[source.key]
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string' || text.length > VALUE_CHARACTERS_MAX) return undefined
  return text.trim() || undefined
}
