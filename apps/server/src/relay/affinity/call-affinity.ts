import type { Ask } from '@tollgate/dialects/dialect'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import type { Call } from '../call.ts'
import type { AffinityRule } from '../../snapshots/affinity-rules.ts'
import type { Operation } from '../operations/operation.ts'
import { normalisePath } from '../relay-route.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Caller } from '../stations/admit/caller.ts'
import type { Affinity } from './affinity.ts'
import type { Bindings } from './binding.ts'
import { isCacheable } from './cacheable.ts'
import { ruleSession, type RuleSession } from './rule-session.ts'

/** The session of a call that is bound to a channel and key, and its bindings when the call was admitted. */
export interface CallAffinity {
  readonly session: string
  readonly bindings: Bindings
  /** Name of the rule that named the session. */
  readonly rule?: string
  /** By the rule that named the session; `undefined` is what the site has set. */
  readonly lifetimeMs?: number | undefined
  /** When the channel of the session fails, no other is tried. */
  readonly staysOnFailure?: boolean
}

export interface AffinityQuestion {
  readonly call: Pick<Call, 'request'>
  readonly ask: Ask
  readonly caller: Pick<Caller, 'owner' | 'token'>
  readonly operation: Pick<Operation, 'isConversation'>
  readonly session: string | undefined
  readonly groups: readonly string[]
  readonly settings: Pick<RelaySettings, 'affinity'>
}

/** Switches affinity off for one call; any other value leaves it on. */
const HEADER = 'x-tollgate-affinity'

/** The affinity of a call; `undefined` where it names no session, and where affinity is off or would not help. */
export function affinityOf(
  question: AffinityQuestion,
  { affinity, sessions }: { readonly affinity: Affinity; readonly sessions: Pick<Sessions, 'named'> },
): CallAffinity | Promise<CallAffinity> | undefined {
  const { ask, groups, caller, settings } = question
  const rules = settings.affinity?.rules ?? []
  if ((question.session === undefined && rules.length === 0) || !isWanted(question)) return undefined
  const ruled = ruledBy(question, rules)
  const session = ruled === undefined ? question.session : sessions.named(caller.owner.id, ruled.name)
  if (session === undefined) return undefined
  const found = affinity.find(session, { groups, model: ask.model })
  if (ruled !== undefined) return withRule(session, found, ruled.rule)
  return found instanceof Promise
    ? found.then((bindings) => ({ session, bindings }))
    : { session, bindings: found }
}

async function withRule(
  session: string,
  found: Bindings | Promise<Bindings>,
  { name: rule, lifetimeMs, staysOnFailure }: AffinityRule,
): Promise<CallAffinity> {
  return { session, bindings: await found, rule, lifetimeMs, staysOnFailure }
}

function ruledBy(
  { call, ask, caller, groups }: AffinityQuestion,
  rules: readonly AffinityRule[],
): RuleSession | undefined {
  if (rules.length === 0) return undefined
  const { headers, url = '' } = call.request
  const [group = ''] = groups
  const asked = { model: ask.model, path: normalisePath(url), headers, body: ask.body, caller, group }
  return ruleSession(asked, rules)
}

function isWanted({ call, ask, operation, settings }: AffinityQuestion): boolean {
  if (settings.affinity === undefined || operation.isConversation !== true) return false
  return call.request.headers[HEADER] !== 'off' && isCacheable(ask)
}
