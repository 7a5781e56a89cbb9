import { type Conversation, type Message, isSystem } from '@tollgate/dialects/canonical/conversation'
import { rejectOrphanResults } from '@tollgate/dialects/canonical/orphan-result'
import type { FilePart, Part, ToolCallPart, ToolResultPart } from '@tollgate/dialects/canonical/part'
import type { Tool, ToolChoice } from '@tollgate/dialects/canonical/tool'
import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { parseTextObject } from '@tollgate/dialects/json-limits'
import { functionsIn } from '../define/function-tools.ts'
import { problem } from '@tollgate/problems/problem'
import { ownValue } from '@tollgate/kit/own-value'

/**
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html. The model and the
 * streaming flag are in the URL.
 */
export function writeRequest(conversation: Conversation): JsonObject {
  const { messages, sampling, stop, outputTokensMax } = conversation
  rejectOrphanResults(messages)
  const system = messages.filter(isSystem).flatMap(({ parts }) => parts.flatMap(writePart))
  const inferenceConfig = omitUndefined({
    maxTokens: outputTokensMax,
    temperature: sampling.temperature,
    topP: sampling.topP,
    stopSequences: stop.length > 0 ? stop : undefined,
  })
  return {
    messages: withDifferentNames(inTurns(withoutCalls(conversation).filter((message) => !isSystem(message)))),
    system: system.length > 0 ? system : undefined,
    inferenceConfig: Object.keys(inferenceConfig).length > 0 ? inferenceConfig : undefined,
    ...writeTools(conversation.tools, conversation.toolChoice),
    ...(sampling.topK !== undefined && { additionalModelRequestFields: { top_k: sampling.topK } }),
  }
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** Messages must alternate between user and assistant, and the first must be the user's. */
function inTurns(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = message.parts.flatMap(writePart)
    if (content.length === 0) continue
    const last = turns.at(-1)
    if (last?.role === role) for (const block of content) last.content.push(block)
    else turns.push({ role, content })
  }
  return turns[0]?.role === 'assistant' ? [{ role: 'user', content: [{ text: '...' }] }, ...turns] : turns
}

function writePart(part: Part): JsonObject[] {
  if (part.type === 'text' || part.type === 'refusal') return part.text === '' ? [] : [{ text: part.text }]
  if (part.type === 'image')
    return [{ image: { format: formatOf(part), source: { bytes: dataOf(part).base64 } } }]
  if (part.type === 'file') return [writeFile(part)]
  if (part.type === 'tool-call') return [writeCall(part)]
  return part.type === 'tool-result' ? [writeResult(part)] : []
}

function dataOf(part: Extract<Part, { type: 'image' | 'file' }>) {
  if (part.source.type !== 'data') throw problem('media_unsupported', { type: `${part.type} by address` })
  return part.source
}

/** The format is the subtype of the media type, except for a few types that the vendor names differently. */
function formatOf(part: Extract<Part, { type: 'image' | 'file' }>): string {
  const { mediaType } = dataOf(part)
  return ownValue(formats, mediaType) ?? mediaType.slice(mediaType.indexOf('/') + 1)
}

const formats: Readonly<Record<string, string>> = {
  'image/jpg': 'jpeg',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

const DOCUMENT_NAME_MAX = 200

/** The vendor allows little more than letters and digits in document names. */
function writeFile(part: FilePart): JsonObject {
  const plain = (part.name ?? part.title ?? '').replaceAll(/[^A-Za-z0-9()[\]-]+/g, ' ').trim()
  const name = plain.slice(0, DOCUMENT_NAME_MAX).trim() || 'document'
  return { document: { format: formatOf(part), name, source: { bytes: dataOf(part).base64 } } }
}

/** Two documents of one request need different names. */
function withDifferentNames(turns: readonly Turn[]): readonly JsonObject[] {
  const used = new Set<string>()
  const renamed = (block: JsonObject): JsonObject => {
    const document = recordAt(block, 'document')
    const result = recordAt(block, 'toolResult')
    if (result !== undefined)
      return { toolResult: { ...result, content: recordsAt(result, 'content').map(renamed) } }
    return document === undefined ? block : { document: { ...document, name: takeName(document, used) } }
  }
  return turns.map((turn) => ({ ...turn, content: turn.content.map(renamed) }))
}

function takeName(document: JsonObject, used: Set<string>): string {
  const plainName = textAt(document, 'name') ?? ''
  let name = plainName
  for (let number = 2; used.has(name); number += 1)
    name = `${plainName.slice(0, DOCUMENT_NAME_MAX - 8)} (${number})`
  used.add(name)
  return name
}

function writeCall({ id, name, arguments: written }: ToolCallPart): JsonObject {
  return { toolUse: { toolUseId: id, name, input: parseTextObject(written || '{}') ?? {} } }
}

function writeResult({ callId, parts, isError }: ToolResultPart): JsonObject {
  const content = parts.flatMap(writePart)
  return {
    toolResult: {
      toolUseId: callId,
      content: content.length > 0 ? content : [{ text: '...' }],
      status: isError === true ? 'error' : undefined,
    },
  }
}

/**
 * Converse refuses calls and results in a request without tools, as agents send it for a summary. They become
 * texts, because tools that nobody offered could be called.
 */
function withoutCalls(conversation: Conversation): readonly Message[] {
  const { messages } = conversation
  if (!hasCallsWithoutTools(conversation)) return messages
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap(asText) }))
}

export function hasCallsWithoutTools({ messages, tools, toolChoice }: Conversation): boolean {
  if (functionsIn(tools).length > 0 && toolChoice?.type !== 'none') return false
  return messages.some(({ parts }) =>
    parts.some(({ type }) => type === 'tool-call' || type === 'tool-result'),
  )
}

function asText(part: Part): readonly Part[] {
  if (part.type === 'tool-call')
    return [{ type: 'text', text: `I called the tool ${part.name} with ${part.arguments || '{}'}` }]
  if (part.type !== 'tool-result') return [part]
  return [{ type: 'text', text: 'The result of the tool:' }, ...part.parts]
}

/** Converse has no way to forbid tool calls, so `none` is written by sending no tools. */
function writeTools(tools: readonly Tool[], choice: ToolChoice | undefined): JsonObject {
  const specs = functionsIn(tools).map(({ parameters, ...tool }) => ({
    toolSpec: { ...tool, inputSchema: { json: parameters } },
  }))
  if (specs.length === 0 || choice?.type === 'none') return {}
  return { toolConfig: { tools: specs, toolChoice: choice && writeChoice(choice) } }
}

function writeChoice(choice: ToolChoice): JsonObject | undefined {
  if (choice.type === 'auto') return { auto: {} }
  if (choice.type === 'required') return { any: {} }
  return choice.type === 'tool' ? { tool: { name: choice.name } } : undefined
}
