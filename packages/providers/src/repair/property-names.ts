import { schemaForms, type SchemaForm } from '@tollgate/catalogue/limits/schema-forms'
import { shortenIds } from '@tollgate/catalogue/limits/shorten-text'
import { isWithinBounds, type StringBounds } from '@tollgate/catalogue/limits/string-limit'
import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { Part } from '@tollgate/dialects/canonical/part'
import { renameArguments } from '@tollgate/dialects/canonical/property-names'
import type { DialectName } from '@tollgate/dialects/canonical/raw'
import type { FunctionTool, Tool } from '@tollgate/dialects/canonical/tool'
import { isRecord, type JsonObject } from '@tollgate/dialects/json'

/**
 * Shortens the names of arguments that the vendor refuses, in schemas and in the calls of earlier turns. The answer
 * gets the tool's own names back, so the client never sees the short ones.
 */
export function withPropertyNames(conversation: Conversation, target: DialectName | undefined): Conversation {
  const { propertyNames: bounds }: SchemaForm = schemaForms[target ?? 'own']
  if (bounds === undefined) return conversation
  const shortNames = new Map<string, ReadonlyMap<string, string>>()
  const tools = conversation.tools.map((tool) => renamedTool(tool, bounds, shortNames))
  if (shortNames.size === 0) return conversation
  const rename = (part: Part): Part => {
    const names = part.type === 'tool-call' ? shortNames.get(part.name) : undefined
    return part.type === 'tool-call' && names !== undefined
      ? { ...part, arguments: renameArguments(part.arguments, names) }
      : part
  }
  const messages = conversation.messages.map((message) => ({ ...message, parts: message.parts.map(rename) }))
  return { ...conversation, tools, messages }
}

function renamedTool(
  tool: Tool,
  bounds: StringBounds,
  shortNames: Map<string, ReadonlyMap<string, string>>,
): Tool {
  if (tool.type !== 'function' || tool.parameters === undefined) return tool
  const names = new Set<string>()
  visitProperties(tool.parameters, (name) => names.add(name))
  if ([...names].every((name) => isWithinBounds(name, bounds))) return tool
  const short = shortenIds(names, bounds)
  shortNames.set(tool.name, short)
  const propertyNames = new Map([...short].map(([name, shortName]) => [shortName, name]))
  const renamed: FunctionTool = { ...tool, parameters: renameSchema(tool.parameters, short), propertyNames }
  return renamed
}

function visitProperties(schema: unknown, visit: (name: string) => void): void {
  if (Array.isArray(schema)) for (const item of schema) visitProperties(item, visit)
  if (!isRecord(schema)) return
  for (const [member, value] of Object.entries(schema)) {
    if (member === 'properties' && isRecord(value)) for (const name of Object.keys(value)) visit(name)
    visitProperties(value, visit)
  }
}

/** Renames the keys of `properties` and the names in `required`; values and descriptions stay. */
function renameSchema(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([member, value]) => {
      if (member === 'required' && Array.isArray(value))
        return [member, value.map((name) => (typeof name === 'string' ? (names.get(name) ?? name) : name))]
      if (member !== 'properties' || !isRecord(value)) return [member, renameInside(value, names)]
      const properties = Object.entries(value).map(([name, property]) => [
        names.get(name) ?? name,
        renameInside(property, names),
      ])
      return [member, Object.fromEntries(properties)]
    }),
  )
}

function renameInside(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameInside(item, names))
  return isRecord(value) ? renameSchema(value, names) : value
}
