import { type ClaudeHost, findClaudeHost } from '@tollgate/catalogue/limits/claude-hosts'
import { DroppedMembers } from '@tollgate/dialects/canonical/dropped'
import { listAt, recordAt, type JsonObject } from '@tollgate/dialects/json'
import { editList } from '@tollgate/dialects/seals/edit-list'
import type { Outgoing, RequestQuirk } from '../provider.ts'
import { omit, traitsFor, type Body } from '../quirks/body.ts'
import { withSystemReminders } from './system-turns.ts'

const BETA = 'anthropic-beta'

/** Fits betas and members of a Messages request to the host of the channel; hosts without a row get all. */
export function fitClaudeHost(provider: string): RequestQuirk {
  return (outgoing, { baseUrl }) => {
    const host = findClaudeHost(provider, baseUrl)
    return host === undefined ? outgoing : withTakenMembers(outgoing, host)
  }
}

/**
 * Leaves out the betas that a host refuses and the members that it refuses as extra inputs, and names them. The
 * betas of the caller are in a header or, where a host takes them there, in the body.
 */
export function withTakenMembers(outgoing: Outgoing, host: ClaudeHost): Outgoing {
  const sent = readBetas(outgoing)
  const named = [...new Set(sent.map((beta) => host.renamed[beta] ?? beta))]
  const betas = named.filter((beta) => host.betas.has(beta))
  const names = new Set(sent.filter((beta) => !betas.includes(host.renamed[beta] ?? beta)))
  const own = withoutTopMembers(outgoing, { betas, names, host })
  const body = withoutMembers(own, { betas, names, host })
  for (const name of Object.keys(host.membersOfBetas))
    if (Object.hasOwn(outgoing.body, name) && !Object.hasOwn(body, name)) names.add(name)
  const dropped = new DroppedMembers()
  // The caller chooses the names of betas, so they are limited to what fits into a header.
  dropped.addAll([...(outgoing.dropped ?? []), ...names])
  const taken = withBetas({ ...outgoing, body, dropped: dropped.names }, betas)
  return host.takesSystemTurns ? taken : withSystemReminders(taken)
}

export function readBetas({
  callerHeaders,
  body,
}: Pick<Outgoing, 'callerHeaders' | 'body'>): readonly string[] {
  const inHeader = (callerHeaders?.[BETA] ?? '').split(',').map((beta) => beta.trim())
  const inBody = listAt(body, 'anthropic_beta').filter((beta) => typeof beta === 'string')
  return [...new Set([...inHeader, ...inBody])].filter((beta) => beta !== '')
}

/** The betas stay where they were: in the header, in the body, or in both. */
function withBetas(outgoing: Outgoing, betas: readonly string[]): Outgoing {
  const { callerHeaders = {}, body } = outgoing
  const { [BETA]: header, ...others } = callerHeaders
  const isInBody = Object.hasOwn(body, 'anthropic_beta')
  const rest = isInBody ? omit(body, 'anthropic_beta') : body
  return {
    ...outgoing,
    ...(header !== undefined && {
      callerHeaders: betas.length === 0 ? others : { ...others, [BETA]: betas.join(',') },
    }),
    body: isInBody && betas.length > 0 ? { ...rest, anthropic_beta: betas } : rest,
  }
}

interface TakenMembers {
  readonly betas: readonly string[]
  /** Collects the names of what is left out. */
  readonly names: Set<string>
  readonly host: ClaudeHost
}

function withoutTopMembers(outgoing: Outgoing, { betas, names, host }: TakenMembers): Body {
  const missing = Object.entries(host.membersOfBetas)
    .filter(([, beta]) => !betas.includes(beta))
    .map(([member]) => member)
  const rest = omit(outgoing.body, ...missing)
  if (host.takesAnyEffort || traitsFor(outgoing).efforts !== undefined) return rest
  const quiet = withoutEffort(rest)
  if (quiet !== rest) names.add('reasoning_effort')
  return quiet
}

export function withoutEffort(body: Body): Body {
  const config = recordAt(body, 'output_config')
  if (config === undefined || !Object.hasOwn(config, 'effort')) return body
  const others = omit(config, 'effort')
  return Object.keys(others).length === 0 ? omit(body, 'output_config') : { ...body, output_config: others }
}

/** Removes members of tools and of cache markers, and adds their names. */
function withoutMembers(body: Body, { betas, names, host }: TakenMembers): Body {
  const refused = Object.entries(host.toolMembers)
    .filter(([, needed]) => !needed.some((beta) => betas.includes(beta)))
    .map(([member]) => member)
  const tools = editList(body, 'tools', (tool) => withoutNamed(tool, refused, names))
  if (host.takesScopes) return tools
  return editMarkers(tools, (marker) => withoutNamed(marker, ['scope'], names, 'cache_control.'))
}

/** Changes every cache marker of a Messages request. */
export function editMarkers(body: Body, edit: (marker: JsonObject) => JsonObject): Body {
  const editIn = (block: JsonObject): JsonObject => {
    const marker = recordAt(block, 'cache_control')
    const edited = marker && edit(marker)
    return edited === marker ? block : { ...block, cache_control: edited }
  }
  const ofTools = editList(body, 'tools', editIn)
  const ofSystem = editList(ofTools, 'system', editIn)
  return editList(ofSystem, 'messages', (message) => editList(message, 'content', editIn))
}

function withoutNamed(
  object: JsonObject,
  members: readonly string[],
  names: Set<string>,
  prefix = '',
): JsonObject {
  const present = members.filter((member) => Object.hasOwn(object, member))
  for (const member of present) names.add(prefix + member)
  return omit(object, ...present)
}
