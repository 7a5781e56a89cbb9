import { textAt, type JsonObject } from '../json.ts'
import type { SearchOptions, TextGrammar } from './tool.ts'

/** Readers of the tool members that have the same form in several dialects. */

/** The grammar has the same members in both dialects of OpenAI. */
export function readGrammarMembers(members: JsonObject): TextGrammar | undefined {
  const { syntax, definition } = members
  const isKnown = (syntax === 'lark' || syntax === 'regex') && typeof definition === 'string'
  return isKnown ? { syntax, definition } : undefined
}

export function readLocation(near: JsonObject): NonNullable<SearchOptions['location']> {
  return {
    city: textAt(near, 'city'),
    region: textAt(near, 'region'),
    country: textAt(near, 'country'),
    timezone: textAt(near, 'timezone'),
  }
}
