import { problem } from '@tollgate/kit/problem'
import type { RequestContext } from '../canonical/codec.ts'
import type { Conversation, Message, OutputFormat, ReasoningWish } from '../canonical/conversation.ts'
import { lostResult } from '../canonical/lost-result.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../canonical/part.ts'
import { ownWords } from '../canonical/raw.ts'
import { told } from '../canonical/told.ts'
import { isRecord, recordAt, type JsonObject } from '../json.ts'
import { budgetOf, hasLevels } from './thinking.ts'
import { writeSchema } from './schema.ts'
import { writeResult } from './tool-result.ts'
import { writeToolChoice, writeTools } from './tools.ts'
import { writePart, type GeminiPart } from './write-parts.ts'

/** A `generateContent` request. The model is part of the address, not of the body. */
export function writeRequest(conversation: Conversation, _context: RequestContext): JsonObject {
  const { tools, toolChoice, extras } = conversation
  const own = extras.gemini ?? {}
  const { generationConfig: _config, toolConfig: _toolConfig, ...rest } = own
  const system = systemText(conversation.messages)
  const contents = writeContents(conversation)
  const functionCallingConfig = toolChoice === undefined ? undefined : writeToolChoice(toolChoice)
  const toolConfig = { ...recordAt(own, 'toolConfig'), ...told({ functionCallingConfig }) }
  const generationConfig = { ...recordAt(own, 'generationConfig'), ...writeConfig(conversation) }
  return {
    ...rest,
    // A request must have a turn; a system text alone stands in for one.
    contents: contents.length > 0 ? contents : [{ role: 'user', parts: [{ text: system }] }],
    ...(system === '' || contents.length === 0 ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    ...(tools.length > 0 ? { tools: writeTools(tools) } : {}),
    ...(Object.keys(toolConfig).length > 0 ? { toolConfig } : {}),
    ...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
  }
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

function systemText(messages: readonly Message[]): string {
  return messages
    .filter(isSystem)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n')
}

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: readonly GeminiPart[]
}

/** Turns of one role that follow each other are one; the dialect wants all results in the turn after their calls. */
function writeContents({ messages, model }: Conversation): Content[] {
  const calls = new Map<string, ToolCallPart>()
  const places = new Map<string, number>()
  const contents: { readonly role: Content['role']; readonly parts: GeminiPart[] }[] = []
  for (const message of messages.filter((each) => !isSystem(each))) {
    for (const part of message.parts)
      if (part.type === 'tool-call') {
        calls.set(part.id, part)
        if (!places.has(part.id)) places.set(part.id, places.size)
      }
    const content = writeContent(message, { calls, places, model })
    const last = contents.at(-1)
    if (content.parts.length === 0) continue
    if (last?.role === content.role) for (const part of content.parts) last.parts.push(part)
    else contents.push({ role: content.role, parts: [...content.parts] })
  }
  return contents
}

interface Setting {
  readonly calls: ReadonlyMap<string, ToolCallPart>
  /** Of each call among all calls. */
  readonly places: ReadonlyMap<string, number>
  readonly model: string
}

function writeContent({ role, parts }: Message, setting: Setting): Content {
  const written = inCallOrder(parts, setting)
    .filter(isWanted)
    .map(unsignedElsewhere)
    .flatMap((part) => writeIn(part, setting))
  return role === 'assistant'
    ? { role: 'model', parts: signed(written, setting.model) }
    : { role: 'user', parts: written }
}

/** Where ids are not told, results are matched with their calls by their place. */
function inCallOrder(parts: readonly Part[], { places }: Setting): readonly Part[] {
  const results = parts
    .filter((part) => part.type === 'tool-result')
    .toSorted((left, right) => (places.get(left.callId) ?? 0) - (places.get(right.callId) ?? 0))
    .values()
  return parts.map((part) => (part.type === 'tool-result' ? (results.next().value ?? part) : part))
}

/** Thoughts go back only with the vendor's own signature: without it they would be taken for the answer's text. */
function isWanted(part: Part): boolean {
  if (part.type === 'redacted-reasoning') return false
  return part.type !== 'reasoning' || part.signature?.dialect === 'gemini'
}

/** The vendor checks every signature, and knows only its own. */
function unsignedElsewhere(part: Part): Part {
  if (part.type !== 'tool-call' || part.signature === undefined || part.signature.dialect === 'gemini')
    return part
  const { signature: _signature, ...rest } = part
  return rest
}

function writeIn(part: Part, { calls }: Setting): GeminiPart[] {
  return part.type === 'tool-result' ? [writeToolResult(part, calls)] : writePart(part)
}

function writeToolResult(part: ToolResultPart, calls: Setting['calls']): GeminiPart {
  const name = part.name ?? calls.get(part.callId)?.name
  if (name === undefined || name === '') throw lostResult(part)
  return { functionResponse: { id: part.callId, name, ...writeResult(part) } }
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures: what stands in for a signature nobody has any more. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

/** Models that sign refuse a turn whose first call has lost its signature. */
function signed(parts: readonly GeminiPart[], model: string): readonly GeminiPart[] {
  const first = parts.find((part) => 'functionCall' in part)
  if (first === undefined || 'thoughtSignature' in first || !hasLevels(model)) return parts
  return parts.map((part) => (part === first ? { ...part, thoughtSignature: NO_SIGNATURE } : part))
}

const STOP_SEQUENCES_MAX = 5

function writeConfig(conversation: Conversation): JsonObject {
  const { sampling, stop, choices, outputTokensMax, format, reasoning, modalities, audio, logprobs } =
    conversation
  const { temperature, topP, topK, frequencyPenalty, presencePenalty, seed } = sampling
  return told({
    temperature,
    topP,
    topK,
    frequencyPenalty,
    presencePenalty,
    seed,
    candidateCount: choices > 1 ? choices : undefined,
    maxOutputTokens: outputTokensMax,
    stopSequences: stop.length > 0 ? checkedStop(stop) : undefined,
    responseLogprobs: logprobs === undefined ? undefined : true,
    logprobs: logprobs === undefined || logprobs.top === 0 ? undefined : logprobs.top,
    responseModalities: modalities?.map((each) => each.toUpperCase()),
    speechConfig: typeof audio?.voice === 'string' ? voiceNamed(audio.voice) : undefined,
    thinkingConfig: reasoning === undefined ? undefined : writeThinking(reasoning, conversation),
    ...writeFormat(format),
  })
}

function checkedStop(stop: readonly string[]): readonly string[] {
  if (stop.length > STOP_SEQUENCES_MAX)
    throw problem('member_too_long', { param: 'stop', max: STOP_SEQUENCES_MAX })
  return stop
}

function voiceNamed(voiceName: string): JsonObject {
  return { voiceConfig: { prebuiltVoiceConfig: { voiceName } } }
}

function writeFormat(format: OutputFormat | undefined): JsonObject {
  if (format === undefined || format.type === 'text') return {}
  const responseMimeType = 'application/json'
  return format.type === 'json'
    ? { responseMimeType }
    : { responseMimeType, responseSchema: writeSchema(format.schema) }
}

/** Newer models are told a level, older ones a budget; the words of this very dialect stay as they are. */
function writeThinking(
  wish: ReasoningWish,
  { model, outputTokensMax }: Conversation,
): JsonObject | undefined {
  const own = ownWords(wish.raw, 'gemini')
  if (isRecord(own)) return own
  const { mode, effort, shows } = wish
  const isOff = mode === 'off' || effort === 'none'
  const includeThoughts = shows === undefined ? !isOff : shows !== 'nothing' && !isOff
  if (hasLevels(model)) {
    const thinkingLevel = isOff ? 'minimal' : levelOf(wish)
    return { includeThoughts, ...told({ thinkingLevel }) }
  }
  return { includeThoughts, ...told({ thinkingBudget: budgetOf(wish, { model, outputTokensMax }) }) }
}

const levels = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const

function levelOf({ effort, budgetTokens }: ReasoningWish): string | undefined {
  if (effort !== undefined) return levels[effort]
  if (budgetTokens === undefined) return undefined
  return budgetTokens <= 2000 ? 'low' : budgetTokens <= 8000 ? 'medium' : 'high'
}
