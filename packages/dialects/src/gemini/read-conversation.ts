import { memberNames } from '../canonical/members.ts'
import type {
  Conversation,
  LogprobsRequest,
  Message,
  OutputFormat,
  ReasoningRequest,
  Sampling,
} from '../canonical/conversation.ts'
import type { AskPath } from '../canonical/codec.ts'
import type { Part } from '../canonical/part.ts'
import { omitUndefined } from '../canonical/omit-undefined.ts'
import { problem } from '@tollgate/problems/problem'
import { isRecord, type JsonObject } from '../json.ts'
import { memberOf, numberOf, recordOf, restOf, textOf, textsOf } from './members.ts'
import { joined } from './joined.ts'
import { normalizeBody } from './normal-body.ts'
import { CallIds, readParts } from './read-parts.ts'
import { readSchema } from './schema.ts'
import { readToolChoice, readTools } from './tools.ts'

const KNOWN = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'model']

/** Reads a `generateContent` request. https://ai.google.dev/api/generate-content */
export function readConversation(written: JsonObject, path: AskPath): Conversation {
  const body = normalizeBody(written, 'GenerateContentRequest')
  const config = recordOf(body, 'generationConfig') ?? {}
  const toolConfig = recordOf(body, 'toolConfig') ?? {}
  return {
    model: path.model ?? textOf(body, 'model') ?? '',
    isStream: path.isStream ?? false,
    messages: [...systemOf(body), ...contentsOf(body)],
    tools: readTools(body),
    stop: textsOf(config, 'stopSequences'),
    choices: choicesOf(config),
    metadata: {},
    ...wishes(config),
    toolChoice: readToolChoice(recordOf(toolConfig, 'functionCallingConfig')),
    extras: extrasOf(body, { config, toolConfig }),
  }
}

function systemOf(body: JsonObject): Message[] {
  const system = memberOf(body, 'systemInstruction')
  if (system === undefined) return []
  const content = typeof system === 'string' ? { parts: [{ text: system }] } : system
  if (!isRecord(content)) throw problem('member_invalid', { param: 'systemInstruction' })
  const parts = readParts(content, new CallIds())
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

function contentsOf(body: JsonObject): Message[] {
  const reported = memberOf(body, 'contents')
  if (reported === undefined) throw problem('member_missing', { param: 'contents' })
  const contents: readonly unknown[] = Array.isArray(reported) ? reported : [reported]
  if (contents.length === 0) throw problem('member_missing', { param: 'contents' })
  const ids = new CallIds()
  return inTurns(contents.map((content) => readContent(content, ids)))
}

/**
 * Merges consecutive contents of the model into one turn; clients may send one content per fragment of a
 * stream.
 */
function inTurns(contents: readonly Message[]): Message[] {
  const turns: (Message & { readonly parts: Part[] })[] = []
  for (const content of contents) {
    const last = turns.at(-1)
    if (last?.role === 'assistant' && content.role === 'assistant')
      for (const part of content.parts) last.parts.push(part)
    else turns.push({ ...content, parts: [...content.parts] })
  }
  return turns.map((turn) => (turn.role === 'assistant' ? { ...turn, parts: joined(turn.parts) } : turn))
}

function readContent(content: unknown, ids: CallIds): Message {
  if (typeof content === 'string') return { role: 'user', parts: [{ type: 'text', text: content }] }
  if (!isRecord(content) || !Array.isArray(content['parts']))
    throw problem('member_invalid', { param: 'contents' })
  const parts: Part[] = readParts(content, ids)
  if (parts.some((part) => part.type === 'tool-result' && part.callId === ''))
    throw problem('invalid_request', { reason: 'a functionResponse has no functionCall before it' })
  return { role: content['role'] === 'model' ? 'assistant' : 'user', parts }
}

function choicesOf(config: JsonObject): number {
  const reported = numberOf(config, 'candidateCount')
  if (reported === undefined) return 1
  if (!Number.isInteger(reported) || reported < 1 || reported > 128)
    throw problem('member_out_of_range', { param: 'candidateCount', min: 1, max: 128 })
  return reported
}

function wishes(config: JsonObject) {
  const voice = recordOf(
    recordOf(recordOf(config, 'speechConfig') ?? {}, 'voiceConfig') ?? {},
    'prebuiltVoiceConfig',
  )
  const name = textOf(voice ?? {}, 'voiceName')
  const modalities = textsOf(config, 'responseModalities')
    .map((each) => each.toLowerCase())
    .filter(isModality)
  return {
    sampling: samplingOf(config),
    format: formatOf(config),
    reasoning: reasoningOf(recordOf(config, 'thinkingConfig')),
    logprobs: logprobsOf(config),
    outputTokensMax: outputLimit(config),
    modalities: modalities.length === 0 ? undefined : modalities,
    audio: name === undefined ? undefined : { voice: name, format: 'pcm16' },
  }
}

function isModality(name: string): name is 'text' | 'audio' | 'image' {
  return name === 'text' || name === 'audio' || name === 'image'
}

function outputLimit(config: JsonObject): number | undefined {
  const limit = numberOf(config, 'maxOutputTokens')
  if (limit === undefined) return undefined
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw problem('member_out_of_range', { param: 'maxOutputTokens', min: 1, max: Number.MAX_SAFE_INTEGER })
  return limit
}

function samplingOf(config: JsonObject): Sampling {
  return {
    temperature: numberOf(config, 'temperature'),
    topP: numberOf(config, 'topP'),
    topK: numberOf(config, 'topK'),
    frequencyPenalty: numberOf(config, 'frequencyPenalty'),
    presencePenalty: numberOf(config, 'presencePenalty'),
    seed: numberOf(config, 'seed'),
  }
}

function formatOf(config: JsonObject): OutputFormat | undefined {
  const own = recordOf(config, 'responseSchema')
  const schema =
    recordOf(config, 'responseJsonSchema') ??
    recordOf(config, '_responseJsonSchema') ??
    (own && readSchema(own))
  if (schema !== undefined) return { type: 'schema', name: 'response', schema }
  return textOf(config, 'responseMimeType') === 'application/json' ? { type: 'json' } : undefined
}

const efforts = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const

function reasoningOf(config: JsonObject | undefined): ReasoningRequest | undefined {
  if (config === undefined) return undefined
  const budget = numberOf(config, 'thinkingBudget')
  const level = textOf(config, 'thinkingLevel')?.toUpperCase()
  const shows = memberOf(config, 'includeThoughts')
  return {
    mode: budget === 0 ? ('off' as const) : budget === -1 ? ('adaptive' as const) : undefined,
    budgetTokens: budget !== undefined && budget > 0 ? budget : undefined,
    effort: Object.entries(efforts).find(([name]) => name === level)?.[1],
    shows: shows === true ? ('summary' as const) : shows === false ? ('nothing' as const) : undefined,
    raw: { dialect: 'gemini' as const, value: config },
  }
}

function logprobsOf(config: JsonObject): LogprobsRequest | undefined {
  return memberOf(config, 'responseLogprobs') === true
    ? { top: numberOf(config, 'logprobs') ?? 0 }
    : undefined
}

const KNOWN_CONFIG = memberNames(
  `temperature topP topK candidateCount maxOutputTokens stopSequences presencePenalty frequencyPenalty seed
   responseLogprobs logprobs responseMimeType responseSchema responseJsonSchema _responseJsonSchema
   responseModalities thinkingConfig`,
)

interface Configs {
  readonly config: JsonObject
  readonly toolConfig: JsonObject
}

/** Members that only Gemini has, including a `responseMimeType` other than JSON. */
function extrasOf(body: JsonObject, { config, toolConfig }: Configs): Conversation['extras'] {
  const mime = textOf(config, 'responseMimeType')
  const generationConfig = omitUndefined({
    ...restOf(config, KNOWN_CONFIG),
    responseMimeType: mime === 'application/json' ? undefined : mime,
  })
  const rest = omitUndefined({
    ...restOf(body, KNOWN),
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
    toolConfig: restOf(toolConfig, ['functionCallingConfig']),
  })
  return Object.keys(rest).length === 0 ? {} : { gemini: rest }
}
