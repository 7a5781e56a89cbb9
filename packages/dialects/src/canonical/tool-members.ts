import { problem } from '@tollgate/problems/problem'
import { isRecord, textAt, type JsonObject } from '../json.ts'
import type { SearchOptions, TextGrammar, ToolChoice } from './tool.ts'

/** Readers of the tool members that have the same form in several dialects. */

export function readLocation(near: JsonObject): NonNullable<SearchOptions['location']> {
  return {
    city: textAt(near, 'city'),
    region: textAt(near, 'region'),
    country: textAt(near, 'country'),
    timezone: textAt(near, 'timezone'),
  }
}

/** Reads the grammar of a custom tool; `membersOf` returns the object that has its syntax and definition. */
export function readGrammar(
  tool: JsonObject,
  param: string,
  membersOf: (format: JsonObject) => JsonObject | undefined,
): TextGrammar | undefined {
  const format = tool['format'] ?? undefined
  if (format === undefined || (isRecord(format) && format['type'] === 'text')) return undefined
  const members = isRecord(format) && format['type'] === 'grammar' ? membersOf(format) : undefined
  const grammar = members && readGrammarMembers(members)
  if (grammar === undefined) throw problem('member_invalid', { param })
  return grammar
}

/** The grammar has the same members in both dialects of OpenAI. */
function readGrammarMembers(members: JsonObject): TextGrammar | undefined {
  const { syntax, definition } = members
  const isKnown = (syntax === 'lark' || syntax === 'regex') && typeof definition === 'string'
  return isKnown ? { syntax, definition } : undefined
}

/** Reads the words of a tool choice; `readObject` reads a choice that names tools. */
export function readChoice(
  choice: unknown,
  readObject: (choice: JsonObject) => ToolChoice,
): ToolChoice | undefined {
  if (choice === undefined) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice }
  if (!isRecord(choice)) throw problem('member_invalid', { param: 'tool_choice' })
  // Some clients wrap these values in an object.
  if (choice['type'] === 'auto' || choice['type'] === 'none') return { type: choice['type'] }
  if (choice['type'] === 'required' || choice['type'] === 'any') return { type: 'required' }
  return readObject(choice)
}
