import { traitsOf } from '@tollgate/dialects/traits/lookup'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { DroppedMembers } from '@tollgate/dialects/canonical/dropped'
import { isMemberSet, isStatefulName } from '@tollgate/dialects/canonical/state-members'
import { isRecord } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import { ownValue } from '@tollgate/kit/own-value'
import type { Outgoing, RequestQuirk } from '../provider.ts'

export type Body = Outgoing['body']

/**
 * Creates a quirk that changes only the body. If `change` returns the same object, the request stays
 * unchanged.
 */
export function onBody(change: (body: Body, outgoing: Outgoing) => Body): RequestQuirk {
  return (outgoing) => {
    const body = change(outgoing.body, outgoing)
    return body === outgoing.body ? outgoing : { ...outgoing, body }
  }
}

/** Returns the traits of the requested model, with the channel's overrides. */
export function traitsFor({ traits, model }: Outgoing): ModelTraits {
  return traits ?? traitsOf(model)
}

/** Applies a quirk to some models only. */
export function forModels(models: RegExp, quirk: RequestQuirk): RequestQuirk {
  return (outgoing, upstream) => (models.test(outgoing.model) ? quirk(outgoing, upstream) : outgoing)
}

export function isTold(body: Body, name: string): boolean {
  return (body[name] ?? undefined) !== undefined
}

export function omit(body: Body, ...names: readonly string[]): Body {
  if (!names.some((name) => Object.hasOwn(body, name))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/** Adds members that the client did not set. */
export function defaults(additions: Body): RequestQuirk {
  return onBody((body) => {
    const missing = Object.entries(additions).filter(([name]) => !isTold(body, name))
    return missing.length === 0 ? body : { ...body, ...Object.fromEntries(missing) }
  })
}

/**
 * Sends only the members that a strict vendor knows. Throws a problem for an unknown member that would change
 * the answer; the others are reported as dropped.
 */
export function onlyMembers(...names: readonly string[]): RequestQuirk {
  const known = new Set(names)
  return (outgoing) => {
    const { body, operation } = outgoing
    const unknown = Object.keys(body).filter((name) => !known.has(name))
    if (unknown.length === 0) return outgoing
    if (operation === 'chat') for (const name of unknown) refuseNeeded(name, body)
    const dropped = new DroppedMembers()
    dropped.add(...(outgoing.dropped ?? []), ...unknown.filter((name) => isWanted(name, body[name])))
    return { ...outgoing, body: omit(body, ...unknown), dropped: dropped.names }
  }
}

/** Members that determine the answer, each with a test for values that request nothing unusual. */
const NEEDED: Readonly<Record<string, (value: unknown, body: Body) => boolean>> = {
  n: (value) => value === 1,
  modalities: (value) => Array.isArray(value) && value.every((each) => each === 'text'),
  tools: (value) => Array.isArray(value) && value.length === 0,
  functions: (value) => Array.isArray(value) && value.length === 0,
  response_format: (value) => isRecord(value) && value['type'] === 'text',
  stop: (value) => Array.isArray(value) && value.length === 0,
  // A search tool beside other tools may be dropped, because the model can do without it.
  web_search_options: (_value, { tools }) => Array.isArray(tools) && tools.length > 0,
}

function refuseNeeded(name: string, body: Body): void {
  if (isStatefulName(name) && isMemberSet(body[name]))
    throw problem('not_expressible', { feature: `'${name}'` })
  const isUsual = ownValue(NEEDED, name)
  if (isUsual === undefined || !isTold(body, name) || isUsual(body[name], body)) return
  throw problem('not_expressible', { feature: `'${name}'` })
}

/** `stream_options` is not reported as dropped, because the gateway sets it itself. */
function isWanted(name: string, value: unknown): boolean {
  if (name === 'stream_options' || value === undefined || value === null) return false
  return value !== false || name === 'parallel_tool_calls'
}

export function renameMember(from: string, to: string): RequestQuirk {
  return onBody((body) => {
    if (!Object.hasOwn(body, from)) return body
    const rest = omit(body, from)
    return isTold(rest, to) ? rest : { ...rest, [to]: body[from] }
  })
}
