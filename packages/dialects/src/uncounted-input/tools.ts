import type { CallOperation } from '../conversations.ts'
import { isRecord, recordAt, textAt, type JsonObject } from '../json.ts'
import { isAsked, type Found } from './found.ts'

/**
 * A container for running code. A string or `id` refers to an existing container, which keeps the files of
 * earlier requests.
 */
export function noteContainer(container: unknown, found: Found): void {
  if (typeof container === 'string' && container !== '') return found.stored('container')
  if (!isRecord(container)) return
  if (isAsked(container['id'])) found.stored('container.id')
  if (isAsked(container['file_ids'])) found.stored('container.file_ids')
  if (isAsked(container['skills'])) found.runs('container.skills')
}

/** Members of a Gemini tool that declare functions of the caller. */
const DECLARATIONS = new Set(['functionDeclarations', 'function_declarations'])
/** Tools, by member name or by type, that read stored content or call servers that the caller names. */
const STORED_TOOLS = /^(?:file_?search|retrieval|mcp.*)$/i
/** Types of tools that the caller runs. Their results come with the next request, and are counted there. */
const CALLERS_TOOLS =
  /^(?:function|custom|local_shell|apply_patch|bash_\d+|text_editor_\d+|memory_\d+|tool_search\w*)$/i

export function noteTool(operation: CallOperation, tool: JsonObject, found: Found): void {
  const type = textAt(tool, 'type')
  if (operation === 'generate' || type === undefined) return noteNamedTools(operation, tool, found)
  if (STORED_TOOLS.test(type)) found.stored(`tools.${type}`)
  else if (!CALLERS_TOOLS.test(type) && !isLocalShell(tool)) {
    found.runs(`tools.${type}`)
    noteContainer(tool['container'], found)
  }
}

function isLocalShell(tool: JsonObject): boolean {
  return tool['type'] === 'shell' && recordAt(tool, 'environment')?.['type'] === 'local'
}

/** Names that can only mean a built-in tool of a vendor, in a tool of another dialect that has no type. */
const VENDORS_TOOLS = /search|context|code_?execution|maps|retrieval|mcp/i

/** Each member of a Gemini tool is a tool; in other dialects a tool without a type is a function. */
function noteNamedTools(operation: CallOperation, tool: JsonObject, found: Found): void {
  for (const [name, value] of Object.entries(tool)) {
    if (DECLARATIONS.has(name) || !isRecord(value)) continue
    if (operation !== 'generate' && !VENDORS_TOOLS.test(name)) continue
    if (STORED_TOOLS.test(name)) found.stored(`tools.${name}`)
    else found.runs(`tools.${name}`)
  }
}
