import { problem } from '@tollgate/problems/problem'
import type { CallOperation } from './conversations.ts'
import type { Ask } from './dialect.ts'
import { callerLimits, checkedScan, embeddingLimits, parsedObject } from './json-limits.ts'
import { normalizeBody } from './gemini/normal-body.ts'
import { editedAsk, type AskEdits } from './ask-edit.ts'
import { checkedMembers } from './checked/members.ts'
import { rejectSuspect, rejectSuspectTexts } from './checked/refuse.ts'
import { lenientPolicy, takeOut, type MemberPolicy } from './checked/take-out.ts'
import type { JudgedNames } from './checked/findings.ts'
import type { Member, ObjectScan, ScanLimits } from './json-scan.ts'
import { isRecord, type JsonObject } from './json.ts'
import { checkRerank, mediaReaders } from './media/ask-rules.ts'
import { flag, listAtMost, textOf, wholeNumber } from './canonical/members.ts'
import { withoutUnsetZeros } from './unset-zeros.ts'

export interface AskDefaults {
  /** Model named in the URL path; a model in the body takes precedence. */
  readonly pathModel?: string
  /** Used when the request names no model. */
  readonly defaultModel?: string
  /** Set by the path, for dialects whose bodies do not say whether to stream. */
  readonly isStream?: boolean
}

/**
 * Reads and checks a request body, once. Throws a problem for every shape whose price could not be bounded,
 * or which the upstream might understand differently from this gateway. Everything else passes unchanged and
 * is left to the upstream to judge.
 */
export function readAsk(
  operation: CallOperation,
  bytes: Buffer,
  defaults: AskDefaults = {},
  policy: MemberPolicy = lenientPolicy,
): Ask {
  return readScanned(operation, scanAsk(operation, bytes), { bytes, defaults, policy })
}

/** Size limits for the body of an operation. */
export function limitsOf(operation: CallOperation): ScanLimits {
  return operation === 'embeddings' ? embeddingLimits : callerLimits
}

/** Scans a body before it is parsed. Throws a problem for a body that exceeds its limits. */
export function scanAsk(operation: CallOperation, bytes: Buffer): ObjectScan {
  return checkedScan(bytes, limitsOf(operation), checkedMembers[operation])
}

interface BodyToKeep {
  readonly bytes: Buffer
  readonly policy: MemberPolicy
}

/** A parsed body without the members that were taken out of it. */
export interface KeptBody extends Omit<ParsedBody, 'defaults'> {
  readonly body: JsonObject
}

/**
 * Parses a body that has been scanned, and takes out of it what may not reach an upstream. Throws a problem for
 * an odd member.
 */
export function keepMembers(
  operation: CallOperation,
  { members, odd, findings }: ObjectScan,
  { bytes, policy }: BodyToKeep,
): KeptBody {
  const body = parsedObject(bytes)
  rejectSuspect(odd)
  rejectSuspectTexts(body, checkedMembers[operation])
  if (findings === undefined) return { body, bytes, members }
  const kept = takeOut({ bytes, members, findings }, policy)
  return { ...kept, body: kept.bytes === bytes ? body : parsedObject(kept.bytes) }
}

/** Second half of {@link readAsk}: parses and reads a body that has been scanned. */
export function readScanned(
  operation: CallOperation,
  scan: ObjectScan,
  { bytes, policy, defaults }: BodyToKeep & Pick<ParsedBody, 'defaults'>,
): Ask {
  const { body, ...kept } = keepMembers(operation, scan, { bytes, policy })
  return askOf(operation, body, { ...kept, defaults })
}

export interface ParsedBody {
  readonly bytes: Buffer
  readonly members: readonly Member[]
  readonly defaults: AskDefaults
  /** Set where the scan found members that are not simply passed on. */
  readonly names?: JudgedNames | undefined
}

/**
 * Reads a body that has been parsed and whose member names have been checked. Throws like {@link readAsk}.
 */
export function askOf(operation: CallOperation, parsed: JsonObject, raw: ParsedBody): Ask {
  const { defaults } = raw
  const given = { body: parsed, bytes: raw.bytes, members: raw.members }
  const { body, bytes, members } = withoutUnsetZeros(operation, given)
  const model = modelNamed(operation, body, defaults)
  if (model === undefined) throw problem('model_required', { param: 'model' })
  if (model.length > MODEL_LENGTH_MAX) throw problem('member_invalid', { param: 'model' })
  const { isStream, wantsUsage, outputTokensMax, choices } = readers[operation](body)
  const ask = {
    model,
    isStream: defaults.isStream ?? isStream,
    wantsUsage,
    outputTokensMax,
    choices,
    body,
    bytes,
    members,
    ...(raw.names !== undefined && { names: raw.names }),
  }
  const lower = lowerOutputLimit(body)
  return lower === undefined ? ask : editedAsk(ask, lower)
}

/**
 * For operations whose path always names the model, a `model` member in the body does not override the path.
 */
function modelNamed(operation: CallOperation, body: JsonObject, defaults: AskDefaults): string | undefined {
  const byDefault = defaults.pathModel ?? defaults.defaultModel
  const isInPath = operation === 'generate' || operation === 'embed'
  return isInPath ? (byDefault ?? textOf(body, 'model')) : (textOf(body, 'model') ?? byDefault)
}

type Reading = Pick<Ask, 'isStream' | 'wantsUsage' | 'outputTokensMax' | 'choices'>

const readers: Readonly<Record<CallOperation, (body: JsonObject) => Reading>> = {
  chat: (body) => {
    checkMessages(body)
    const { isStream, wantsUsage } = stream(body)
    return { isStream, wantsUsage, outputTokensMax: outputLimit(body), choices: choicesOf(body) }
  },
  messages: (body) => {
    checkMessages(body)
    const outputTokensMax = wholeNumber(body, 'max_tokens', { min: 1, max: OUTPUT_TOKENS_MAX })
    // Streams of Messages always end with usage, and a request has one answer.
    return { isStream: flag(body, 'stream') ?? false, wantsUsage: true, outputTokensMax, choices: 1 }
  },
  responses: (body) => {
    checkResponse(body)
    const outputTokensMax = wholeNumber(body, 'max_output_tokens', { min: 1, max: OUTPUT_TOKENS_MAX })
    return { isStream: flag(body, 'stream') ?? false, wantsUsage: true, outputTokensMax, choices: 1 }
  },
  generate: (body) => {
    normalizeBody(body, 'GenerateContentRequest')
    const contents = listAtMost(body, 'contents', MESSAGES_MAX)
    if (contents === undefined || contents.length === 0)
      throw problem('member_missing', { param: 'contents' })
    const config = either(body, 'generationConfig', 'generation_config')
    const limits = isRecord(config) ? config : {}
    const limit = { min: 1, max: OUTPUT_TOKENS_MAX }
    return {
      isStream: false,
      wantsUsage: true,
      outputTokensMax:
        wholeNumber(limits, 'maxOutputTokens', limit) ?? wholeNumber(limits, 'max_output_tokens', limit),
      choices:
        wholeNumber(limits, 'candidateCount', { min: 1, max: CHOICES_MAX }) ??
        wholeNumber(limits, 'candidate_count', { min: 1, max: CHOICES_MAX }) ??
        1,
    }
  },
  completions: (body) => {
    const prompts = itemsOf(body, 'prompt', PROMPTS_MAX)
    const bestOf = wholeNumber(body, 'best_of', { min: 1, max: CHOICES_MAX }) ?? 1
    const choices = prompts * Math.max(choicesOf(body), bestOf)
    if (choices > CHOICES_MAX) throw outOfRange('n', CHOICES_MAX)
    return { ...stream(body), outputTokensMax: outputLimit(body), choices }
  },
  embeddings: (body) => {
    itemsOf(body, 'input', INPUTS_MAX)
    return whole
  },
  moderations: (body) => {
    itemsOf(body, 'input', INPUTS_MAX)
    return whole
  },
  compact: (body) => {
    checkResponse(body)
    return whole
  },
  embed: (body) => {
    normalizeBody(body, 'EmbedContentRequest')
    const requests = listAtMost(body, 'requests', INPUTS_MAX)
    if (requests?.length === 0) throw problem('member_missing', { param: 'requests' })
    for (const request of requests ?? [body]) checkContent(isRecord(request) ? request : {})
    return whole
  },
  rerank: (body) => {
    checkRerank(body)
    return whole
  },
  search: () => whole,
  ...mediaReaders,
  // The actual requests come later, as websocket frames.
  realtime: () => ({ ...whole, isStream: true, wantsUsage: true }),
}

function checkResponse(body: JsonObject): void {
  const kept = STATEFUL.find((name) => (body[name] ?? undefined) !== undefined)
  if (kept !== undefined) throw problem('member_invalid', { param: kept })
  if ((body['input'] ?? undefined) === undefined) throw problem('member_missing', { param: 'input' })
  if (typeof body['input'] !== 'string') listAtMost(body, 'input', MESSAGES_MAX)
  listAtMost(body, 'tools', MESSAGES_MAX)
}

function checkContent(request: JsonObject): void {
  if (!isRecord(request['content'])) throw problem('member_missing', { param: 'content' })
}

/**
 * Members that are rejected because the price could not be bounded: `background` answers are written after
 * the call has ended, and `context_management` lets the upstream rewrite the context. Other state kept by a
 * vendor is a setting of the channel; see `uncountedInput`.
 */
const STATEFUL = ['context_management', 'background'] as const

/** Gemini accepts its members in camel case and in snake case. */
function either(body: JsonObject, name: string, other: string): unknown {
  return body[name] ?? body[other]
}

const whole: Reading = { isStream: false, wantsUsage: undefined, outputTokensMax: undefined, choices: 1 }

/** OpenAI's maximum for `n`. */
const CHOICES_MAX = 128
const PROMPTS_MAX = 128
/** The largest batch that any vendor of this dialect accepts. */
const INPUTS_MAX = 2048
const MESSAGES_MAX = 100_000
const OUTPUT_TOKENS_MAX = 2 ** 30
const OUTPUT_LIMIT = { min: 1, max: OUTPUT_TOKENS_MAX }
const OUTPUT_LIMITS = ['max_tokens', 'max_completion_tokens'] as const
const MODEL_LENGTH_MAX = 256
function checkMessages(body: JsonObject): void {
  const messages = listAtMost(body, 'messages', MESSAGES_MAX)
  if (messages === undefined || messages.length === 0) throw problem('member_missing', { param: 'messages' })
  if (!messages.every(isRecord)) throw problem('member_invalid', { param: 'messages' })
  listAtMost(body, 'tools', MESSAGES_MAX)
}

function stream(body: JsonObject): Pick<Ask, 'isStream' | 'wantsUsage'> {
  const options = body['stream_options'] ?? undefined
  if (options !== undefined && !isRecord(options))
    throw problem('member_invalid', { param: 'stream_options' })
  return {
    isStream: flag(body, 'stream') ?? false,
    wantsUsage: options === undefined ? undefined : flag(options, 'include_usage'),
  }
}

function outputLimit(body: JsonObject): number | undefined {
  const older = wholeNumber(body, 'max_tokens', OUTPUT_LIMIT)
  const newer = wholeNumber(body, 'max_completion_tokens', OUTPUT_LIMIT)
  return older ?? newer
}

/**
 * If a request sets two different output limits, sets both to the smaller one. Upstreams differ in which one
 * they obey, and some know only one, so neither can be dropped and the larger one cannot be sent.
 */
function lowerOutputLimit(body: JsonObject): AskEdits | undefined {
  const { max_tokens: older, max_completion_tokens: newer } = body
  if (typeof older !== 'number' || typeof newer !== 'number' || older === newer) return undefined
  const limits = OUTPUT_LIMITS.map((name) => wholeNumber(body, name, OUTPUT_LIMIT) ?? OUTPUT_TOKENS_MAX)
  const smaller = Math.min(...limits)
  const set = Object.fromEntries(OUTPUT_LIMITS.map((name) => [name, smaller]))
  return { set, facts: { outputTokensMax: smaller } }
}

function choicesOf(body: JsonObject): number {
  return wholeNumber(body, 'n', { min: 1, max: CHOICES_MAX }) ?? 1
}

/**
 * Number of inputs in the member: a text and a list of token numbers are one; a list of texts or of such
 * lists has one per item.
 */
function itemsOf(body: JsonObject, param: string, max: number): number {
  const value = body[param] ?? undefined
  if (value === undefined) throw problem('member_missing', { param })
  if (typeof value === 'string' || isRecord(value)) return 1
  if (!Array.isArray(value)) throw problem('member_invalid', { param })
  if (value.length === 0) throw problem('member_missing', { param })
  if (typeof value[0] === 'number') return 1
  if (value.length > max) throw problem('member_too_long', { param, max })
  return value.length
}

function outOfRange(param: string, max: number): Error {
  return problem('member_out_of_range', { param, min: 1, max })
}
