import { describeSearch } from '../canonical/searches.ts'
import { isRecord, recordsAt, textAt, type JsonObject } from '../json.ts'
import { isForeignSearch, isSearchCall, readSearch } from './searches.ts'

const FOREIGN_INDEX = /^(?:openai|responses|gemini):/

/**
 * The content of a message without what Anthropic did not sign: searches that another vendor ran become texts, and
 * citations of their pages go. Returns the same list if it has none.
 */
export function withoutForeignSearches(content: readonly unknown[]): readonly unknown[] {
  if (!content.some(isForeign)) return content
  const blocks = content.filter(isRecord)
  return content.flatMap((block): readonly unknown[] => {
    if (!isRecord(block) || !isForeign(block)) return [block]
    if (hasForeignCitation(block)) return [withoutCitations(block)]
    if (!isSearchCall(block)) return []
    const result = blocks.find((each) => each['tool_use_id'] === block['id'])
    return [{ type: 'text', text: describeSearch(readSearch(block, result)) }]
  })
}

function isForeign(block: unknown): boolean {
  return isRecord(block) && (isForeignSearch(block) || hasForeignCitation(block))
}

function hasForeignCitation(block: JsonObject): boolean {
  return recordsAt(block, 'citations').some(isForeignCitation)
}

function isForeignCitation(citation: JsonObject): boolean {
  return FOREIGN_INDEX.test(textAt(citation, 'encrypted_index') ?? '')
}

function withoutCitations({ citations: _citations, ...block }: Record<string, unknown>): JsonObject {
  const own = recordsAt({ citations: _citations }, 'citations').filter((each) => !isForeignCitation(each))
  return own.length === 0 ? block : { ...block, citations: own }
}
