import { urlOfSource } from '@tollgate/dialects/canonical/data-url'
import type {
  Conversation,
  Message,
  OutputFormat,
  ReasoningRequest,
} from '@tollgate/dialects/canonical/conversation'
import type { Part, ToolCallPart, ToolResultPart } from '@tollgate/dialects/canonical/part'
import type { Tool, ToolChoice } from '@tollgate/dialects/canonical/tool'
import type { JsonObject } from '@tollgate/dialects/json'
import { functionsIn, type FunctionTool } from '../define/function-tools.ts'

/** https://docs.cohere.com/reference/chat */
export function writeRequest(conversation: Conversation): JsonObject {
  const { model, isStream, messages, tools, toolChoice, sampling, stop, outputTokensMax } = conversation
  const functions = functionsIn(offered(tools, toolChoice)).map(writeTool)
  return {
    model,
    stream: isStream,
    messages: messages.flatMap(writeMessage),
    tools: functions.length > 0 ? functions : undefined,
    tool_choice: toolChoice && writeToolChoice(toolChoice),
    max_tokens: outputTokensMax,
    stop_sequences: stop.length > 0 ? stop : undefined,
    temperature: sampling.temperature,
    p: sampling.topP,
    k: sampling.topK,
    seed: sampling.seed,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    response_format: conversation.format && writeFormat(conversation.format),
    thinking: conversation.reasoning && writeThinking(conversation.reasoning),
  }
}

/** Tool results are messages of their own and come before the other content of the user's message. */
function writeMessage({ role, parts }: Message): JsonObject[] {
  if (role === 'assistant') return [writeModelTurn(parts)]
  const results = parts.filter((part) => part.type === 'tool-result').map(writeResult)
  const content = parts.filter((part) => part.type !== 'tool-result').flatMap(writePart)
  const name = role === 'developer' ? 'system' : role
  return content.length === 0 ? results : [...results, { role: name, content: plain(content) }]
}

/** A single text part is written as a plain string. */
function plain(content: readonly JsonObject[]): unknown {
  const [only] = content
  return content.length === 1 && only?.['type'] === 'text' ? only['text'] : content
}

function writePart(part: Part): JsonObject[] {
  if (part.type === 'text' || part.type === 'refusal')
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  const url = part.type === 'image' ? urlOfSource(part.source) : undefined
  return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }]
}

function writeModelTurn(parts: readonly Part[]): JsonObject {
  const content = parts.flatMap(writePart)
  const calls = parts.filter((part) => part.type === 'tool-call').map(writeCall)
  return {
    role: 'assistant',
    content: content.length > 0 ? plain(content) : undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  }
}

function writeCall({ id, name, arguments: written }: ToolCallPart): JsonObject {
  return { id, type: 'function', function: { name, arguments: written || '{}' } }
}

function writeResult({ callId, parts }: ToolResultPart): JsonObject {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { role: 'tool', tool_call_id: callId, content: text }
}

function writeTool(tool: FunctionTool): JsonObject {
  return { type: 'function', function: tool }
}

/** The vendor has only these two values; leaving the member out means that the model decides. */
function writeToolChoice(choice: ToolChoice): string | undefined {
  if (choice.type === 'none') return 'NONE'
  return choice.type === 'required' || choice.type === 'tool' ? 'REQUIRED' : undefined
}

/** To force a named tool, only that tool is sent, together with `REQUIRED`. */
function offered(tools: readonly Tool[], choice: ToolChoice | undefined): readonly Tool[] {
  if (choice?.type !== 'tool') return tools
  return tools.filter((tool) => tool.type === 'function' && tool.name === choice.name)
}

function writeFormat(format: OutputFormat): JsonObject {
  if (format.type === 'text') return { type: 'text' }
  return format.type === 'json'
    ? { type: 'json_object' }
    : { type: 'json_object', json_schema: format.schema }
}

function writeThinking({ mode, effort, budgetTokens }: ReasoningRequest): JsonObject {
  if (mode === 'off' || effort === 'none') return { type: 'disabled' }
  return { type: 'enabled', token_budget: budgetTokens }
}
