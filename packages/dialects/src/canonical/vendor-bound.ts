import { problem, type Problem } from '@tollgate/problems/problem'
import { isRecord, textAt, type JsonObject } from '../json.ts'
import { memberNames } from './members.ts'
import type { Conversation } from './conversation.ts'
import type { Part, Source } from './part.ts'
import { dialectNames, type DialectName } from './raw.ts'
import { isMemberSet, isStatefulName, stateMembers } from './state-members.ts'

/**
 * Finds the first thing in a conversation that depends on another vendor and that `target` therefore cannot
 * use: files and caches stored with another vendor, servers that another vendor would call, the choice of a
 * tool that `target` does not have, and parts that only another dialect has. Leaving these out would change
 * the question, so the result is a problem. Parts that a model wrote in earlier turns are history and may be
 * left out. `target` is absent for a vendor's private format.
 */
export function vendorBoundPart(
  conversation: Conversation,
  target: DialectName | undefined,
): Problem | undefined {
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

/**
 * Chat completions and Responses share OpenAI's files, but chat completions accept a file id only for
 * documents.
 */
function isAtHome(
  { dialect }: Extract<Source, { type: 'id' }>,
  type: Part['type'],
  target: DialectName | undefined,
): boolean {
  if (target === 'openai') return type === 'file' && (dialect === 'openai' || dialect === 'responses')
  return dialect === target || (target === 'responses' && dialect === 'openai')
}

/** A part without a type and without members carries nothing, so leaving it out loses nothing. */
function unknownPart(value: JsonObject): Problem | undefined {
  const name = textAt(value, 'type') ?? Object.keys(value)[0]
  return name === undefined
    ? undefined
    : problem('not_expressible', { feature: `'${name.slice(0, 64)}' parts` })
}

function statesOf({ extras }: Conversation, target: DialectName | undefined): readonly string[] {
  const stored = stateMembers
    .filter(({ dialect, member }) => dialect !== target && isMemberSet(extras[dialect]?.[member]))
    .map(({ words }) => words)
  const foreign = dialectNames.filter((dialect) => dialect !== target).map((dialect) => extras[dialect] ?? {})
  return [...stored, ...foreign.flatMap(unknownStates).map((name) => `'${name.slice(0, 64)}'`)]
}

/** The names of unknown members that sound like state, also in the groups of settings that Gemini has. */
function unknownStates(members: JsonObject): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (SETTINGS.has(name) && isRecord(value)) return unknownStates(value)
    return isStatefulName(name) && isMemberSet(value) ? [name] : []
  })
}

const SETTINGS = memberNames('generationConfig toolConfig extra_body')
