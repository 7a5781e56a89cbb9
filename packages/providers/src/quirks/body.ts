import type { Outgoing, RequestQuirk } from '../provider.ts'

export type Body = Outgoing['body']

/** A quirk that only looks at the body. Answering the very body means nothing changes. */
export function onBody(change: (body: Body, outgoing: Outgoing) => Body): RequestQuirk {
  return (outgoing) => {
    const body = change(outgoing.body, outgoing)
    return body === outgoing.body ? outgoing : { ...outgoing, body }
  }
}

/** A quirk for some models alone. */
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

/** Adds what the caller did not say. */
export function defaults(additions: Body): RequestQuirk {
  return onBody((body) => {
    const missing = Object.entries(additions).filter(([name]) => !isTold(body, name))
    return missing.length === 0 ? body : { ...body, ...Object.fromEntries(missing) }
  })
}

/** Forwards the members a strict vendor knows, and drops the others it would refuse. */
export function onlyMembers(...names: readonly string[]): RequestQuirk {
  const known = new Set(names)
  return onBody((body) => omit(body, ...Object.keys(body).filter((name) => !known.has(name))))
}

export function renameMember(from: string, to: string): RequestQuirk {
  return onBody((body) => {
    if (!Object.hasOwn(body, from)) return body
    const rest = omit(body, from)
    return isTold(rest, to) ? rest : { ...rest, [to]: body[from] }
  })
}
