import type { Conversation } from './conversation.ts'
import type { Part, ToolResultPart } from './part.ts'
import type { DialectName } from './raw.ts'

/**
 * What `target` has no member for, said in words instead: what a caller tells about a document, and that a tool failed.
 * `target` is absent for a vendor's own format.
 */
export function saidInWords(conversation: Conversation, target: DialectName | undefined): Conversation {
  if (target === 'anthropic') return conversation
  const knowsFailures = target === 'gemini'
  const said = (part: Part): readonly Part[] => {
    if (part.type !== 'tool-result') return withContext(part)
    const result = { ...part, parts: part.parts.flatMap(withContext) }
    return [knowsFailures ? result : withFailure(result)]
  }
  const messages = conversation.messages.map((each) => ({ ...each, parts: each.parts.flatMap(said) }))
  return { ...conversation, messages }
}

function withContext(part: Part): readonly Part[] {
  if (part.type !== 'file' || part.context === undefined) return [part]
  const { context, ...document } = part
  return [{ type: 'text', text: context }, document]
}

/** Characters in which a tool says that it failed, if it does. */
const BEGINNING = 256

/** Most tools say it themselves. */
function withFailure(result: ToolResultPart): ToolResultPart {
  const { isError = false, parts } = result
  const [first, ...others] = parts
  const text = first?.type === 'text' ? first.text : ''
  if (!isError || /^\W*\w*error/i.test(text.slice(0, BEGINNING))) return result
  const failure: Part = { type: 'text', text: text === '' ? 'Error' : `Error: ${text}` }
  return { ...result, parts: first?.type === 'text' ? [failure, ...others] : [failure, ...parts] }
}
