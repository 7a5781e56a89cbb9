import { ownValue } from '@tollgate/kit/own-value'
import { problem } from '@tollgate/problems/problem'
import type { Message } from '../canonical/conversation.ts'
import type { Part } from '../canonical/part.ts'
import type { Tool } from '../canonical/tool.ts'
import { textAt, type JsonObject } from '../json.ts'
import { readContent } from './content.ts'
import { readOutputItem } from './output-items.ts'
import { readTools } from './read-tools.ts'

/** A turn to which the following items may still be added. */
interface OpenTurn {
  readonly message: Message
  readonly parts: Part[]
  readonly hasResultsOnly: boolean
}

/**
 * Groups items into turns. Consecutive items of the model are one turn, and so are the results after them.
 */
export function readItems(items: readonly JsonObject[]): Message[] {
  const turns: OpenTurn[] = []
  for (const item of items) {
    const message = readItem(item)
    const last = turns.at(-1)
    const hasResultsOnly = isResults(message)
    if (
      last?.message.role === message.role &&
      (message.role === 'assistant' || (last.hasResultsOnly && hasResultsOnly))
    )
      for (const part of message.parts) last.parts.push(part)
    else if (message.parts.length > 0) turns.push({ message, parts: [...message.parts], hasResultsOnly })
  }
  return turns.map(({ message, parts }) => ({ ...message, parts }))
}

/**
 * Reads tools that are contained in items: those of a client that sends its tools as the first item, and
 * those found by a tool search.
 */
export function readItemTools(items: readonly JsonObject[]): Tool[] {
  return items.filter(bringsTools).flatMap((item) => readTools(item, 'input.tools'))
}

function bringsTools({ type }: JsonObject): boolean {
  return type === 'additional_tools' || type === 'tool_search_output'
}

function isResults({ parts }: Message): boolean {
  return parts.length > 0 && parts.every((part) => part.type === 'tool-result')
}

const readers: Readonly<Record<string, (item: JsonObject) => Message>> = {
  message: readMessage,
  function_call_output: readResult,
  custom_tool_call_output: readResult,
  tool_search_output: readFoundTools,
  // A message from another agent of the same client; its text names the sender.
  agent_message: ({ content = [] }) => ({ role: 'user', parts: readContent(content) }),
  // The tools of this item are added to those of the conversation by `readItemTools`.
  additional_tools: () => ({ role: 'developer', parts: [] }),
  // The changes of this item are read together with the members of the request.
  configuration_update: () => ({ role: 'developer', parts: [] }),
  item_reference: () => {
    throw problem('invalid_request', {
      reason: "an 'item_reference' needs an upstream that keeps conversations",
    })
  },
}

/**
 * Item types of a model's earlier output. They may be left out for an upstream whose dialect cannot express
 * them.
 */
const OUTPUT = /^(?:reasoning|\w+_call|mcp_list_tools|mcp_approval_request)$/

function readItem(item: JsonObject): Message {
  const type = item['type'] ?? 'message'
  if (typeof type !== 'string') throw problem('member_invalid', { param: 'input.type' })
  const read = ownValue(readers, type)
  if (read !== undefined) return read(item)
  if (OUTPUT.test(type) || item['role'] === 'assistant')
    return { role: 'assistant', parts: readOutputItem(item) }
  return { role: 'user', parts: [{ type: 'opaque', raw: { dialect: 'responses', value: item } }] }
}

const roles = ['system', 'developer', 'user', 'assistant'] as const

function readMessage(item: JsonObject): Message {
  const role = roles.find((each) => each === item['role'])
  if (role === undefined) throw problem('member_invalid', { param: 'input.role' })
  return { role, parts: readContent(item['content'] ?? undefined) }
}

function readResult(item: JsonObject): Message {
  const output: unknown = item['output'] ?? ''
  const parts: readonly Part[] =
    typeof output === 'string' || Array.isArray(output)
      ? readContent(output)
      : [{ type: 'text', text: JSON.stringify(output) }]
  return resultOf(item, { parts, name: textAt(item, 'name') })
}

/**
 * Reads the result of a tool search: the tools are added to those of the conversation, and the model gets
 * their names as text.
 */
function readFoundTools(item: JsonObject): Message {
  const names = readTools(item, 'input.tools').map((tool) => {
    if (tool.type === 'builtin') return String(tool.raw.value['type'])
    return tool.namespace === undefined ? tool.name : `${tool.namespace.name}__${tool.name}`
  })
  const text =
    names.length === 0 ? 'No tools were found.' : `Tools that can be called now: ${names.join(', ')}`
  // A tool search that the vendor itself ran has no call to answer; its tools are in the conversation.
  if (textAt(item, 'call_id') === undefined) return { role: 'assistant', parts: [] }
  return resultOf(item, { parts: [{ type: 'text', text }], extras: { dialect: 'responses', value: item } })
}

type ResultMembers = Omit<Extract<Part, { type: 'tool-result' }>, 'type' | 'callId'>

function resultOf(item: JsonObject, members: ResultMembers): Message {
  const callId = textAt(item, 'call_id')
  if (callId === undefined) throw problem('member_missing', { param: 'input.call_id' })
  return { role: 'user', parts: [{ type: 'tool-result', callId, ...members }] }
}
