import type { ExplainedRule, NoAffinity, RouteQuestion } from '../../ports/channel-insight.ts'
import type { AffinitySettings } from '../../snapshots/relay-settings.ts'
import { sessionWithValue } from './rule-session.ts'

/** The session of a call that is only asked about. */
export type ExplainedSession =
  | { readonly reason: NoAffinity }
  | { readonly session: string; readonly rule?: ExplainedRule }

interface SessionParts {
  readonly settings: AffinitySettings | undefined
  readonly named: (ownerId: number, name: string) => string
}

/** Finds it as for a real call; `undefined` where the question is about a call without a session. */
export function explainedSession(
  { session, ruled, model, group }: RouteQuestion,
  { settings, named }: SessionParts,
): ExplainedSession | undefined {
  if (ruled === undefined && session === undefined) return undefined
  if (settings === undefined) return { reason: 'off' }
  if (ruled === undefined) return session === undefined ? undefined : { session }
  const { owner, token, value } = ruled
  const rule = settings.rules.find(({ name }) => name === ruled.rule)
  if (rule === undefined) return { reason: 'rule' }
  if (!rule.takesModel(model)) return { reason: 'model' }
  const name = sessionWithValue(rule, value, { caller: { owner, token }, group })
  if (name === undefined) return { reason: 'value' }
  const { staysOnFailure } = rule
  return { session: named(owner.id, name), rule: { name: rule.name, staysOnFailure } }
}
