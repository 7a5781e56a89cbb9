import { claudeAtBedrock } from '@tollgate/catalogue/limits/bedrock-claude'
import { DroppedMembers } from '@tollgate/dialects/canonical/dropped'
import { isRecord, listAt, recordAt } from '@tollgate/dialects/json'
import type { Outgoing } from '../provider.ts'
import { omit, traitsFor, type Body } from '../quirks/body.ts'

/**
 * Leaves out the betas and members of a Messages request that Claude refuses at Bedrock as extra inputs, and
 * names them. The betas of the caller's header become a member.
 */
export function withTakenMembers(outgoing: Outgoing): Outgoing {
  const callerBetas = (outgoing.callerHeaders?.['anthropic-beta'] ?? '').split(',').map((beta) => beta.trim())
  const betas = callerBetas.filter((beta) => claudeAtBedrock.betas.has(beta))
  const names = new Set(callerBetas.filter((beta) => beta !== '' && !betas.includes(beta)))
  const own = withoutTopMembers(outgoing, betas, names)
  const body = withoutMembers(own, names)
  for (const name of Object.keys(claudeAtBedrock.membersOfBetas))
    if (Object.hasOwn(outgoing.body, name) && !Object.hasOwn(body, name)) names.add(name)
  // The caller chooses the names of betas, so they are limited to what fits into a header.
  const dropped = new DroppedMembers()
  dropped.addAll([...(outgoing.dropped ?? []), ...names])
  return {
    ...outgoing,
    body: betas.length === 0 ? body : { ...body, anthropic_beta: betas },
    dropped: dropped.names,
  }
}

function withoutTopMembers(outgoing: Outgoing, betas: readonly string[], names: Set<string>): Body {
  const { body } = outgoing
  const missing = Object.entries(claudeAtBedrock.membersOfBetas)
    .filter(([, beta]) => !betas.includes(beta))
    .map(([member]) => member)
  const rest = omit(body, ...missing)
  const config = recordAt(rest, 'output_config')
  if (config === undefined || traitsFor(outgoing).efforts !== undefined) return rest
  const { effort, ...others } = config
  if (effort === undefined) return rest
  names.add('reasoning_effort')
  return Object.keys(others).length === 0 ? omit(rest, 'output_config') : { ...rest, output_config: others }
}

/** Removes members of tools and of cache markers, and adds their names. */
function withoutMembers(body: Body, names: Set<string>): Body {
  const tools = mapList(body, 'tools', (tool) =>
    without(unscoped(tool, names), claudeAtBedrock.refusedOfTools, names),
  )
  const system = mapList(tools, 'system', (block) => unscoped(block, names))
  return mapList(system, 'messages', (message) =>
    mapList(message, 'content', (block) => unscoped(block, names)),
  )
}

/** The scope of a cache marker is a beta of Anthropic's own servers. */
function unscoped(block: Body, names: Set<string>): Body {
  const marker = recordAt(block, 'cache_control')
  const plain = marker && without(marker, ['scope'], names)
  return plain === marker ? block : { ...block, cache_control: plain }
}

function without(object: Body, members: readonly string[], names: Set<string>): Body {
  const present = members.filter((member) => Object.hasOwn(object, member))
  for (const member of present) names.add(member === 'scope' ? 'cache_control.scope' : member)
  return omit(object, ...present)
}

function mapList(object: Body, name: string, change: (item: Body) => Body): Body {
  const list = listAt(object, name)
  const changed = list.map((item) => (isRecord(item) ? change(item) : item))
  return changed.some((item, at) => item !== list[at]) ? { ...object, [name]: changed } : object
}
