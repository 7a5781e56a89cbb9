import { textAt } from '../json.ts'
import type { Conversation } from './conversation.ts'
import type { Part, SearchPart, ToolResultPart } from './part.ts'
import { rawFor, type DialectName } from './raw.ts'
import { describeSearch } from './searches.ts'

/**
 * Rewrites information for which `target` has no member as text: a caller's remarks about a document, the
 * failure of a tool, searches that another vendor ran, and the tools that the caller's tool search found. `target` is absent for a vendor's
 * private format.
 */
export function rewriteAsText(conversation: Conversation, target: DialectName | undefined): Conversation {
  const searched = withSearchesAsText(conversation, target)
  if (target === 'anthropic') return searched
  const knowsFailures = target === 'gemini'
  const titled = target === 'gemini' ? titleInContext : unchanged
  const said = (part: Part): readonly Part[] => {
    if (part.type !== 'tool-result') return withContext(titled(part))
    const result = { ...part, parts: part.parts.map(titled).flatMap(withContext).map(withReference) }
    return [knowsFailures ? result : withFailure(result)]
  }
  const messages = searched.messages.map((each) => ({ ...each, parts: each.parts.flatMap(said) }))
  return { ...searched, messages }
}

/** A search can be given back only to the vendor that ran it, which signs or remembers it. */
function withSearchesAsText(conversation: Conversation, target: DialectName | undefined): Conversation {
  const isForeign = (part: Part): part is SearchPart =>
    part.type === 'search' && (part.raw === undefined || part.raw.dialect !== target)
  if (!conversation.messages.some(({ parts }) => parts.some(isForeign))) return conversation
  const said = (part: Part): Part => (isForeign(part) ? { type: 'text', text: describeSearch(part) } : part)
  const messages = conversation.messages.map((each) => ({ ...each, parts: each.parts.map(said) }))
  return { ...conversation, messages }
}

function unchanged(part: Part): Part {
  return part
}

/** Gemini has no titles for documents. */
function titleInContext(part: Part): Part {
  const title = part.type === 'file' ? (part.title ?? part.name) : undefined
  if (part.type !== 'file' || title === undefined) return part
  const context = part.context === undefined ? `Document: ${title}` : `Document: ${title}\n${part.context}`
  return { ...part, context }
}

function withContext(part: Part): readonly Part[] {
  if (part.type !== 'file' || part.context === undefined) return [part]
  const { context, ...document } = part
  return [{ type: 'text', text: context }, document]
}

/**
 * A tool reference lets Claude call a tool that was not loaded before. Other vendors get all tools from the
 * beginning. https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/tool-search-tool
 */
function withReference(part: Part): Part {
  const block = part.type === 'opaque' ? rawFor(part.raw, 'anthropic') : undefined
  const name = block?.['type'] === 'tool_reference' ? textAt(block, 'tool_name') : undefined
  return name === undefined ? part : { type: 'text', text: `Tool ${name} is loaded.` }
}

/** The word "error" is looked for only in this many characters at the start of a tool result. */
const BEGINNING = 256

/**
 * Marks a failed result with "Error", unless its text already starts like an error, as that of most tools
 * does.
 */
function withFailure(result: ToolResultPart): ToolResultPart {
  const { isError = false, parts } = result
  const [first, ...others] = parts
  const text = first?.type === 'text' ? first.text : ''
  if (!isError || /^\W*\w*error/i.test(text.slice(0, BEGINNING))) return result
  const failure: Part = { type: 'text', text: text === '' ? 'Error' : `Error: ${text}` }
  return { ...result, parts: first?.type === 'text' ? [failure, ...others] : [failure, ...parts] }
}
