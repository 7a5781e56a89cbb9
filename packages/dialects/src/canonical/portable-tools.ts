import type { Conversation, Message } from './conversation.ts'
import type { DroppedMembers } from './dropped.ts'
import { freeTextArguments, freeTextFunction } from './free-text.ts'
import type { Part, ToolCallPart, ToolResultPart } from './part.ts'
import type { CustomTool, FunctionTool, Tool, ToolChoice } from './tool.ts'
import type { PropertyNames } from './property-names.ts'
import { flatName, hashedName, type ToolName } from './tool-name.ts'

/** Tool support of an upstream. */
export interface ToolTarget {
  readonly toolNames: RegExp
  /** Whether this model supports tools that take free text. */
  readonly takesCustomTools: boolean
  readonly dropped: DroppedMembers
}

/** A tool as its caller defined it. */
export interface OriginalTool extends ToolName {
  readonly kind: ToolCallPart['kind']
  readonly isToolSearch?: boolean
  /** The tool's own names of arguments, by those that the upstream knows. */
  readonly propertyNames?: PropertyNames
}

/**
 * Original tools by the name under which the upstream knows them. Tools that keep their name and kind are not
 * listed.
 */
export type OriginalTools = ReadonlyMap<string, OriginalTool>

export interface PortableTools {
  readonly conversation: Conversation
  readonly originals: OriginalTools
}

/**
 * Rewrites the tools of a conversation so that any upstream understands them: functions without namespaces,
 * under accepted names, and with one argument `input` in place of free text. Calls and results of earlier
 * turns are rewritten in the same way.
 */
export function portableTools(conversation: Conversation, target: ToolTarget): PortableTools {
  const { tools, messages, toolChoice } = conversation
  const work: Work = { ...target, nameOf: nameWriter(conversation, target), namesOfCalls: new Map() }
  return {
    conversation: {
      ...conversation,
      tools: withNamespacesDescribed(withoutToolSearch(tools, target)).map((tool) => writtenTool(tool, work)),
      messages: messages.map((message) => writtenMessage(message, work)),
      toolChoice: toolChoice && writtenChoice(toolChoice, work),
    },
    originals: originalsOf(tools, work),
  }
}

interface Work extends ToolTarget {
  readonly nameOf: (tool: ToolName) => string
  /** Names of the calls in earlier turns, by call id. */
  readonly namesOfCalls: Map<string, string>
}

type CallableTool = FunctionTool | CustomTool

function isCallable(tool: Tool): tool is CallableTool {
  return tool.type !== 'builtin'
}

function nameIn({ name, namespace }: CallableTool): ToolName {
  return { name, namespace: namespace?.name }
}

/**
 * If a namespace and a name join to the name of another tool, or a name with a hash is one already, the later tool
 * gets another hash: two tools never become one. Tools without a namespace get their names first, and tools that
 * stand in earlier turns alone get theirs last.
 */
function nameWriter({ tools, messages }: Conversation, { toolNames }: ToolTarget): Work['nameOf'] {
  const names = tools.filter(isCallable).map(nameIn)
  const earlier = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  const writtenNames = new Map<string, string>()
  const used = new Set(names.filter(({ namespace }) => namespace === undefined).map(({ name }) => name))
  const take = (tool: ToolName): string => {
    const written = writtenNames.get(keyOf(tool))
    if (written !== undefined) return written
    const plain = flatName(tool, toolNames)
    let flat = plain
    for (let attempt = 0; isTaken(flat, tool); attempt += 1) flat = hashedName(tool, attempt)
    used.add(flat)
    writtenNames.set(keyOf(tool), flat)
    return flat
  }
  const isTaken = (flat: string, { name, namespace }: ToolName) =>
    used.has(flat) && (flat !== name || namespace !== undefined)
  for (const name of names.toSorted((left, right) => rankOf(left) - rankOf(right))) take(name)
  for (const { name, namespace } of earlier) take({ name, namespace })
  return take
}

function rankOf({ namespace }: ToolName): number {
  return namespace === undefined ? 0 : 1
}

function keyOf({ name, namespace }: ToolName): string {
  return JSON.stringify([namespace, name])
}

function originalsOf(tools: readonly Tool[], { nameOf, takesCustomTools }: Work): OriginalTools {
  const originals = new Map<string, OriginalTool>()
  for (const tool of tools.filter(isCallable)) {
    const isToolSearch = tool.type === 'function' && tool.isToolSearch === true
    const flat = nameOf(nameIn(tool))
    const propertyNames = tool.type === 'function' ? tool.propertyNames : undefined
    const isKept = propertyNames === undefined && (tool.type === 'function' || takesCustomTools)
    if (flat !== tool.name || isToolSearch || !isKept)
      originals.set(flat, {
        ...nameIn(tool),
        kind: tool.type,
        isToolSearch: isToolSearch || undefined,
        ...(propertyNames && { propertyNames }),
      })
  }
  return originals
}

/** Removes a vendor's built-in tool search. Other vendors receive all tools instead. */
function withoutToolSearch(tools: readonly Tool[], { dropped }: ToolTarget): readonly Tool[] {
  const others = tools.filter((tool) => tool.type !== 'builtin' || tool.kind !== 'tool-search')
  if (others.length < tools.length) dropped.add('tool_search')
  return others
}

/** The description of a namespace is put into the description of its first tool. */
function withNamespacesDescribed(tools: readonly Tool[]): readonly Tool[] {
  const described = new Set<string>()
  return tools.map((tool) => {
    if (!isCallable(tool) || tool.namespace === undefined) return tool
    const { name, description } = tool.namespace
    if (described.has(name) || description === undefined) return tool
    described.add(name)
    const about = `${name}: ${description}`
    return {
      ...tool,
      description: tool.description === undefined ? about : `${about}\n\n${tool.description}`,
    }
  })
}

function writtenTool(tool: Tool, { nameOf, takesCustomTools }: Work): Tool {
  if (!isCallable(tool)) return tool
  const name = nameOf(nameIn(tool))
  if (tool.type === 'custom') {
    const { namespace: _namespace, ...plain } = tool
    return takesCustomTools ? { ...plain, name } : freeTextFunction({ ...plain, name })
  }
  const { namespace: _namespace, isToolSearch: _search, propertyNames: _names, ...plain } = tool
  return { ...plain, name }
}

function writtenMessage(message: Message, work: Work): Message {
  return { ...message, parts: message.parts.map((part) => writtenPart(part, work)) }
}

function writtenPart(part: Part, work: Work): Part {
  if (part.type === 'tool-call') return writtenCall(part, work)
  return part.type === 'tool-result' ? writtenResult(part, work) : part
}

function writtenCall(call: ToolCallPart, { nameOf, namesOfCalls, takesCustomTools }: Work): ToolCallPart {
  const { namespace, isToolSearch: _search, ...plain } = call
  const name = nameOf({ name: call.name, namespace })
  namesOfCalls.set(call.id, name)
  if (call.kind === 'function' || takesCustomTools) return { ...plain, name }
  return { ...plain, name, kind: 'function', arguments: freeTextArguments(call.arguments) }
}

function writtenResult(result: ToolResultPart, { nameOf, namesOfCalls }: Work): ToolResultPart {
  if (result.name === undefined) return result
  return { ...result, name: namesOfCalls.get(result.callId) ?? nameOf({ name: result.name }) }
}

function writtenChoice(choice: ToolChoice, { nameOf }: Work): ToolChoice {
  if (choice.type === 'tool') return { type: 'tool', name: nameOf(choice) }
  if (choice.type === 'allowed') return { ...choice, names: choice.names.map((name) => nameOf({ name })) }
  return choice
}
