import { problem } from '@tollgate/problems/problem'
import type { RequestContext } from '../canonical/codec.ts'
import { type Conversation, type Message, type OutputFormat, isSystem } from '../canonical/conversation.ts'
import { orphanResult } from '../canonical/orphan-result.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../canonical/part.ts'
import { omitUndefined } from '../canonical/omit-undefined.ts'
import { recordAt, type JsonObject } from '../json.ts'
import { traitsOf } from '../traits/lookup.ts'
import type { ModelTraits } from '../traits/model-traits.ts'
import { writeThinking } from './thinking.ts'
import { NO_SIGNATURE } from './signature.ts'
import { writeSchema } from './schema.ts'
import { writeResult } from './tool-result.ts'
import { hasBothKinds, toolsTogether } from './tools-together.ts'
import { writeToolChoice, writeTools } from './tools.ts'
import { writePart, type GeminiPart } from './write-parts.ts'

/** Writes a `generateContent` request. The model is part of the URL, not of the body. */
export function writeRequest(conversation: Conversation, context: RequestContext): JsonObject {
  const { traits = traitsOf(conversation.model), dropped } = context
  const { toolChoice, extras } = conversation
  const tools = toolsTogether(conversation.tools, { traits, dropped })
  const own = extras.gemini ?? {}
  const { generationConfig: _config, toolConfig: _toolConfig, ...rest } = own
  const system = systemText(conversation.messages)
  const contents = writeContents(conversation, traits)
  const functionCallingConfig = toolChoice === undefined ? undefined : writeToolChoice(toolChoice)
  const isFlagged = traits.searchBesideFunctions === 'flagged' && hasBothKinds(tools)
  const toolConfig = {
    ...recordAt(own, 'toolConfig'),
    ...omitUndefined({ functionCallingConfig, includeServerSideToolInvocations: isFlagged || undefined }),
  }
  const generationConfig = {
    ...recordAt(own, 'generationConfig'),
    ...writeConfig(conversation, { traits, dropped }),
  }
  return {
    ...rest,
    // Gemini requires at least one turn; if there is only a system text, it is sent as a user turn.
    contents: contents.length > 0 ? contents : [{ role: 'user', parts: [{ text: system }] }],
    systemInstruction: system === '' || contents.length === 0 ? undefined : { parts: [{ text: system }] },
    tools: tools.length > 0 ? writeTools(tools) : undefined,
    toolConfig: Object.keys(toolConfig).length > 0 ? toolConfig : undefined,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
  }
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

/**
 * Merges consecutive turns of one role, because Gemini requires all results in the turn right after their
 * calls.
 */
function writeContents({ messages }: Conversation, traits: ModelTraits): Content[] {
  const calls = new Map<string, ToolCallPart>()
  const places = new Map<string, number>()
  const contents: { readonly role: Content['role']; readonly parts: GeminiPart[] }[] = []
  for (const message of messages.filter((each) => !isSystem(each))) {
    for (const part of message.parts)
      if (part.type === 'tool-call') {
        calls.set(part.id, part)
        if (!places.has(part.id)) places.set(part.id, places.size)
      }
    const content = writeContent(message, { calls, places, traits })
    const last = contents.at(-1)
    if (content.parts.length === 0) continue
    if (last?.role === content.role) for (const part of content.parts) last.parts.push(part)
    else contents.push({ role: content.role, parts: [...content.parts] })
  }
  return contents
}

interface Setting {
  readonly calls: ReadonlyMap<string, ToolCallPart>
  /** Position of each call among all calls, by id. */
  readonly places: ReadonlyMap<string, number>
  readonly traits: ModelTraits
}

function writeContent({ role, parts }: Message, setting: Setting): Content {
  const written = inCallOrder(parts, setting)
    .filter(isWanted)
    .map(unsignedElsewhere)
    .flatMap((part) => writeIn(part, setting))
  return role === 'assistant'
    ? { role: 'model', parts: signed(written, setting.traits) }
    : { role: 'user', parts: written }
}

/** Sorts results in the order of their calls, because results without ids are matched by position. */
function inCallOrder(parts: readonly Part[], { places }: Setting): readonly Part[] {
  const results = parts
    .filter((part) => part.type === 'tool-result')
    .toSorted((left, right) => (places.get(left.callId) ?? 0) - (places.get(right.callId) ?? 0))
    .values()
  return parts.map((part) => (part.type === 'tool-result' ? (results.next().value ?? part) : part))
}

/**
 * Thoughts are sent back only with Gemini's own signature: without it they would be treated as text of the
 * answer.
 */
function isWanted(part: Part): boolean {
  if (part.type === 'redacted-reasoning') return false
  return part.type !== 'reasoning' || part.signature?.dialect === 'gemini'
}

/** Removes other vendors' signatures: Gemini validates every signature and accepts only its own. */
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
  if (name === undefined || name === '') throw orphanResult(part)
  return { functionResponse: { id: part.callId, name, ...writeResult(part) } }
}

/** Models that sign their calls reject a turn whose first call has no signature. */
function signed(parts: readonly GeminiPart[], { signsCalls }: ModelTraits): readonly GeminiPart[] {
  const first = parts.find((part) => 'functionCall' in part)
  if (first === undefined || first['thoughtSignature'] !== undefined || signsCalls !== true) return parts
  return parts.map((part) => (part === first ? { ...part, thoughtSignature: NO_SIGNATURE } : part))
}

const STOP_SEQUENCES_MAX = 5

interface ConfigRules {
  readonly traits: ModelTraits
  readonly dropped: RequestContext['dropped']
}

function writeConfig(conversation: Conversation, { traits, dropped }: ConfigRules): JsonObject {
  const { sampling, stop, choices, outputTokensMax, format, reasoning, modalities, audio, logprobs } =
    conversation
  const { temperature, topP, topK, frequencyPenalty, presencePenalty, seed } = sampling
  const thinkingConfig = reasoning && writeThinking(reasoning, { traits, outputTokensMax })
  if (reasoning !== undefined && thinkingConfig === undefined) dropped?.add('reasoning_effort')
  return omitUndefined({
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
    thinkingConfig,
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
