import { problem, type Problem } from '@tollgate/kit/problem'
import { textAt, type JsonObject } from '../json.ts'
import type { Conversation } from './conversation.ts'
import type { Part, Source } from './part.ts'
import type { DialectName } from './raw.ts'

/**
 * What a conversation leans on and `target` cannot see: files and caches that lie with another vendor, servers another
 * vendor would call, a choice of a tool it does not have, and parts of a turn that another dialect alone has. Left out, the answer would be to another question.
 * What a model itself put out before is history, and may be missing. `target` is absent for a vendor's own format.
 */
export function foreignIn(conversation: Conversation, target: DialectName | undefined): Problem | undefined {
  const state = statesOf(conversation, target)[0]
  if (state !== undefined) return problem('not_expressible', { feature: state })
  const { toolChoice } = conversation
  if (toolChoice?.type === 'other' && toolChoice.raw.dialect !== target)
    return problem('not_expressible', { feature: "a choice of a vendor's own tool" })
  return conversation.messages
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ parts }) => parts.flatMap(withInner))
    .map((part) => foreignPart(part, target))
    .find((found) => found !== undefined)
}

function withInner(part: Part): readonly Part[] {
  return part.type === 'tool-result' ? [part, ...part.parts] : [part]
}

function foreignPart(part: Part, target: DialectName | undefined): Problem | undefined {
  if (part.type === 'opaque') return part.raw.dialect === target ? undefined : unknownPart(part.raw.value)
  const source = 'source' in part ? part.source : undefined
  if (source?.type !== 'id' || isAtHome(source, part.type, target)) return undefined
  return problem('media_unsupported', { type: 'file id' })
}

/** Both dialects of one vendor see its files, but one of them has only a place for documents. */
function isAtHome(
  { dialect }: Extract<Source, { type: 'id' }>,
  type: Part['type'],
  target: DialectName | undefined,
): boolean {
  if (target === 'openai') return type === 'file' && (dialect === 'openai' || dialect === 'responses')
  return dialect === target || (target === 'responses' && dialect === 'openai')
}

/** An empty part says nothing, so nothing is lost. */
function unknownPart(value: JsonObject): Problem | undefined {
  const name = textAt(value, 'type') ?? Object.keys(value)[0]
  return name === undefined
    ? undefined
    : problem('not_expressible', { feature: `'${name.slice(0, 64)}' parts` })
}

/** Members beside the turns that stand for more than they say. */
const STATES: readonly (readonly [dialect: DialectName, member: string, words: string])[] = [
  ['gemini', 'cachedContent', 'cached content'],
  ['anthropic', 'mcp_servers', "a vendor's own calls of MCP servers"],
  ['anthropic', 'container', "a vendor's own container"],
]

function statesOf({ extras }: Conversation, target: DialectName | undefined): readonly string[] {
  return STATES.filter(([dialect, member]) => dialect !== target && isTold(extras[dialect]?.[member])).map(
    ([, , words]) => words,
  )
}

function isTold(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}
