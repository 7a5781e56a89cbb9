import type {
  Conversation,
  Message,
  OutputFormat,
  ReasoningRequest,
} from '@tollgate/dialects/canonical/conversation'
import type { Part, ToolCallPart } from '@tollgate/dialects/canonical/part'
import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import type { JsonObject } from '@tollgate/dialects/json'
import { parseTextObject } from '@tollgate/dialects/json-limits'
import { problem } from '@tollgate/problems/problem'
import { functionsIn } from '../define/function-tools.ts'
import { textOf } from '../ernie/turns.ts'

/** https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion */
export function writeRequest(conversation: Conversation): JsonObject {
  const { model, isStream, messages, sampling, stop, outputTokensMax, extras } = conversation
  const tools = conversation.toolChoice?.type === 'none' ? [] : conversation.tools
  const functions = functionsIn(tools).map((tool) => ({ type: 'function', function: tool }))
  const own = extras.openai ?? {}
  const options = omitUndefined({
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    seed: sampling.seed,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    num_predict: outputTokensMax,
    stop: stop.length > 0 ? stop : undefined,
  })
  return {
    model,
    stream: isStream,
    messages: messages.flatMap(writeMessage),
    tools: functions.length > 0 ? functions : undefined,
    options: Object.keys(options).length > 0 ? options : undefined,
    format: conversation.format && writeFormat(conversation.format),
    // Clients of chat completions may set these in Ollama's own format.
    think: own['think'] ?? (conversation.reasoning && writeThink(conversation.reasoning)),
    keep_alive: own['keep_alive'],
  }
}

/** Tool results are messages of their own and come before the other content of the user's message. */
function writeMessage(message: Message): JsonObject[] {
  const { parts } = message
  const role = message.role === 'developer' ? 'system' : message.role
  const results = parts.flatMap(writeResult)
  const content = textOf(message)
  const images = parts.flatMap(writeImage)
  const calls = parts.filter((part) => part.type === 'tool-call').map(writeCall)
  const thinking = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')
  if (content === '' && images.length + calls.length === 0 && results.length > 0) return results
  const said = {
    role,
    content,
    thinking: thinking !== '' ? thinking : undefined,
    images: images.length > 0 ? images : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  }
  return [...results, said]
}

function writeResult(part: Part): JsonObject[] {
  if (part.type !== 'tool-result') return []
  return [
    {
      role: 'tool',
      content: textOf(part),
      tool_call_id: part.callId,
      tool_name: part.name,
    },
  ]
}

function writeImage(part: Part): string[] {
  if (part.type !== 'image') return []
  if (part.source.type !== 'data') throw problem('media_unsupported', { type: 'image by address' })
  return [part.source.base64]
}

function writeCall({ id, name, arguments: written }: ToolCallPart): JsonObject {
  return { id, function: { name, arguments: parseTextObject(written || '{}') ?? {} } }
}

function writeFormat(format: OutputFormat): unknown {
  if (format.type === 'text') return undefined
  return format.type === 'json' ? 'json' : format.schema
}

const EFFORTS = new Set(['low', 'medium', 'high'])

function writeThink({ mode, effort }: ReasoningRequest): unknown {
  if (mode === 'off' || effort === 'none') return false
  if (effort === undefined) return true
  if (effort === 'minimal') return 'low'
  return EFFORTS.has(effort) ? effort : 'high'
}
