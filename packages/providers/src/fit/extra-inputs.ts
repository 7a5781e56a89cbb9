import { cautiousClaudeHost } from '@tollgate/catalogue/limits/claude-hosts'
import { recordAt, type JsonObject } from '@tollgate/dialects/json'
import { editList } from '@tollgate/dialects/seals/edit-list'
import type { ExtraInput, ModelTraits } from '@tollgate/dialects/traits/model-traits'
import type { Outgoing } from '../provider.ts'
import { omit, type Body } from '../quirks/body.ts'
import { editMarkers, withTakenMembers, withoutEffort } from './claude-members.ts'

/** Leaves out of a Messages request what refusals showed to be unknown to the host, and names it. */
export function withoutLearnedInputs(
  outgoing: Outgoing,
  { refusedInputs = [], betas }: ModelTraits,
): Outgoing {
  if (outgoing.operation !== 'messages') return outgoing
  const cautious = betas === 'usual' ? withTakenMembers(outgoing, cautiousClaudeHost) : outgoing
  return refusedInputs.reduce((rest, name) => {
    const body = withoutInput(rest.body, name)
    return body === rest.body ? rest : { ...rest, body, dropped: [...(rest.dropped ?? []), writeName(name)] }
  }, cautious)
}

/** An effort is named as callers of every dialect know it. */
function writeName(name: ExtraInput): string {
  return name === 'output_config.effort' ? 'reasoning_effort' : name.replace(/^tools\./, '')
}

/** The body without a member; the same object where it has none. */
export function withoutInput(body: Body, name: ExtraInput): Body {
  if (name === 'output_config.effort') return withoutEffort(body)
  const [holder, member = ''] = name.split('.')
  if (holder === 'tools') return editList(body, 'tools', (tool) => omit(tool, member))
  if (holder === 'cache_control') return editMarkers(body, (marker) => omit(marker, member))
  return holder === 'thinking' ? withoutInner(body, 'thinking', member) : omit(body, name)
}

function withoutInner(body: Body, name: string, member: string): JsonObject {
  const inner = recordAt(body, name)
  return inner === undefined || !Object.hasOwn(inner, member)
    ? body
    : { ...body, [name]: omit(inner, member) }
}
