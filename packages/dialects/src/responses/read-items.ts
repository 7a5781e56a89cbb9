import { problem } from '@tollgate/kit/problem'
import type { Message } from '../canonical/conversation.ts'
import type { Part } from '../canonical/part.ts'
import { told } from '../canonical/told.ts'
import { textAt, type JsonObject } from '../json.ts'
import { readContent } from './content.ts'
import { readOutputItem } from './output-items.ts'

/** A turn that grows with the items that belong to it. */
interface OpenTurn {
  readonly message: Message
  readonly parts: Part[]
  readonly hasResultsOnly: boolean
}

/** Items in order as turns. What the model said and called in a row is one turn, and so are the results after it. */
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

function isResults({ parts }: Message): boolean {
  return parts.length > 0 && parts.every((part) => part.type === 'tool-result')
}

const readers: Readonly<Record<string, (item: JsonObject) => Message>> = {
  message: readMessage,
  function_call_output: readResult,
  custom_tool_call_output: readResult,
  computer_call_output: carriedAs('user'),
  local_shell_call_output: carriedAs('user'),
  shell_call_output: carriedAs('user'),
  apply_patch_call_output: carriedAs('user'),
  mcp_approval_response: carriedAs('user'),
  item_reference: () => {
    throw problem('invalid_request', {
      reason: "an 'item_reference' needs an upstream that keeps conversations",
    })
  },
}

/** Whatever is no message and no result is something the model put out in an earlier answer. */
function readItem(item: JsonObject): Message {
  const type = textAt(item, 'type') ?? 'message'
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  return read === undefined ? { role: 'assistant', parts: readOutputItem(item) } : read(item)
}

const roles = ['system', 'developer', 'user', 'assistant'] as const

function readMessage(item: JsonObject): Message {
  const role = roles.find((each) => each === item['role'])
  if (role === undefined) throw problem('member_invalid', { param: 'input.role' })
  return { role, parts: readContent(item['content'] ?? undefined) }
}

function readResult(item: JsonObject): Message {
  const callId = textAt(item, 'call_id')
  if (callId === undefined) throw problem('member_missing', { param: 'input.call_id' })
  const output: unknown = item['output'] ?? ''
  const parts: readonly Part[] =
    typeof output === 'string' || Array.isArray(output)
      ? readContent(output)
      : [{ type: 'text', text: JSON.stringify(output) }]
  return {
    role: 'user',
    parts: [{ type: 'tool-result', callId, parts, ...told({ name: textAt(item, 'name') }) }],
  }
}

function carriedAs(role: Message['role']): (item: JsonObject) => Message {
  return (item) => ({ role, parts: [{ type: 'opaque', raw: { dialect: 'responses', value: item } }] })
}
