import type { UpstreamError } from '../dialect.ts'
import type { LessonName } from './lessons.ts'
import { refusableMembers } from './model-traits.ts'
import { readInputRefusal } from './read-input-refusal.ts'

/** Operations whose errors can teach a lesson. */
export type TeachingOperation = 'chat' | 'responses' | 'messages'

/**
 * Returns the lesson in an upstream error, by its code and the member it names, or by one of a few exact
 * messages. Messages that quote the caller match none of them, so callers cannot inject lessons.
 */
export function learnedTraitIn(error: UpstreamError, operation: string): LessonName | undefined {
  if (error.status === 404 || error.status === 405)
    return operation === 'responses' && isWithoutEndpoint(error) ? 'responses:false' : undefined
  if (error.status !== 400 && error.status !== 422) return undefined
  return (
    streamDemandIn(error) ??
    (isAboutHalves(error.message) ? 'whole_texts:true' : undefined) ??
    (LONG_DESCRIPTION.test(error.message) ? 'tool_description:1024' : undefined) ??
    byCode(error, operation) ??
    byMessage(error.message, operation) ??
    (operation === 'messages' ? readInputRefusal(error.message) : undefined)
  )
}

interface StreamDemand {
  /** Must match the whole message, and leaves no place for the caller's text. */
  readonly message: RegExp
  readonly source: string
}

/** How vendors say that they answer in streams alone, at any endpoint. Each read on 2026-11-29. */
const streamDemands: readonly StreamDemand[] = [
  {
    message: /^stream must be (?:set to )?["'`]?true["'`]?\.?$/i,
    source: 'https://github.com/QuantumNous/new-api/issues/3298',
  },
  {
    message:
      /^this model only supports? (?:the )?stream(?:ing)? mode, please enable the ["'`]?stream["'`]? parameter to access the model\.?$/i,
    source: 'https://help.aliyun.com/zh/model-studio/qwq',
  },
  {
    message: /^non-?stream(?:ing)? (?:requests?|mode) (?:is|are) not supported\.?$/i,
    source: 'https://github.com/QuantumNous/new-api/pull/6102',
  },
  {
    message: /^only streaming (?:requests? (?:is|are)|is) supported\.?$/i,
    source: 'https://github.com/QuantumNous/new-api/pull/6924',
  },
]

/** How vendors refuse a body with half of a surrogate pair, at any endpoint. Each read on 2026-11-30. */
const halvesRefusals: readonly RegExp[] = [
  // https://github.com/anthropics/claude-code/issues/56064, https://github.com/anthropics/claude-code/issues/72995
  /^The request body is not valid JSON: (?:no low surrogate in string|str is not valid UTF-8: surrogates not allowed)/,
  // https://github.com/MoonshotAI/kimi-cli/issues/994
  /^'utf-8' codec can't encode characters? [^:]{0,80}: surrogates not allowed$/,
]

/** https://github.com/OpenHands/OpenHands/issues/7167, https://github.com/langchain-ai/open_deep_research/issues/80 */
const LONG_DESCRIPTION =
  /^Invalid 'tools\[\d{1,4}\]\.(?:function\.)?description': string too long\. Expected a string with maximum length 1024\b/

function isAboutHalves(message: string): boolean {
  return halvesRefusals.some((words) => words.test(message))
}

/** By code as well: one that names nothing else needs no message. */
const STREAM_CODES: ReadonlySet<string> = new Set(['stream_required', 'streaming_required'])

function streamDemandIn({ code, param, message }: UpstreamError): LessonName | undefined {
  const isNamed = VALUE_CODES.has(code) && param === 'stream'
  const isSaid =
    message.length <= MESSAGE_CHARACTERS_MAX &&
    streamDemands.some(({ message: words }) => words.test(message.trim()))
  return isNamed || isSaid || STREAM_CODES.has(code) ? 'streams:always' : undefined
}

/**
 * Whether an error means that the endpoint does not exist: an HTML page, or an object that names no member:
 * `{"detail":"Not Found"}`, `404 page not found`. If a model or an input item is missing, the error has a
 * code or a member, such as `model_not_found` or `"param": "input"`.
 */
function isWithoutEndpoint({ status, code, param, message }: UpstreamError): boolean {
  if (/model/i.test(message)) return false
  const isUnnamed = param === null || param === '' || param === String(status)
  return isUnnamed && ['', 'bad_response_status_code', 'not_found', String(status)].includes(code)
}

/** https://developers.openai.com/api/docs/guides/error-codes */
const CODES: ReadonlySet<string> = new Set(['unsupported_parameter', 'unsupported_value', 'invalid_value'])
/** Codes about the value of a member; vendors use both for the same refusals. */
const VALUE_CODES: ReadonlySet<string> = new Set(['unsupported_value', 'invalid_value'])

function byCode({ code, param }: UpstreamError, operation: string): LessonName | undefined {
  if (!CODES.has(code) || param === null) return undefined
  const member = refusableMembers.find((name) => name === param)
  if (member !== undefined) return `refuses:${member}`
  if (param === 'top_logprobs') return 'refuses:logprobs'
  if (operation !== 'chat') return undefined
  if (code === 'unsupported_parameter' && param === 'max_tokens') return 'output_limit:max_completion_tokens'
  if (code === 'unsupported_parameter' && param === 'max_completion_tokens') return 'output_limit:max_tokens'
  return VALUE_CODES.has(code) && /^messages\[\d{1,6}\]\.role$/.test(param) ? 'system_role:system' : undefined
}

interface KnownMessage {
  readonly operation: TeachingOperation
  /** Must match the whole message, and must leave no place for the caller's text. */
  readonly message: RegExp
  readonly lesson: LessonName
  readonly source: string
}

const MESSAGE_CHARACTERS_MAX = 1000
const DEPRECATED = 'https://github.com/The-PR-Agent/pr-agent/issues/2456'

/** Errors of vendors that name the member only in the message. */
const knownMessages: readonly KnownMessage[] = [
  {
    operation: 'chat',
    message:
      /^Failed to deserialize the JSON body into the target type: messages\[\d{1,6}\](?:\.content)?: invalid type: sequence, expected a string at line \d{1,9} column \d{1,9}$/,
    lesson: 'joined_texts:true',
    source: 'https://github.com/QwenLM/qwen-code/issues/2158',
  },
  {
    operation: 'chat',
    message:
      /^Failed to deserialize the JSON body into the target type: messages\[\d{1,6}\]\.role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`(?:, `latest_reminder`)? at line \d{1,9} column \d{1,9}$/,
    lesson: 'system_role:system',
    source: 'https://github.com/earendil-works/pi/issues/1048',
  },
  {
    operation: 'chat',
    message: /^(?:Error: )?(?:Jinja Exception: )?System message must be at the beginning\.$/,
    lesson: 'system_messages:reminders',
    source: 'https://github.com/bytedance/deer-flow/issues/3707',
  },
  {
    // llama.cpp quotes the chat template in the middle of the message; the template is the operator's and not
    // the caller's.
    operation: 'chat',
    message:
      /^Unable to generate parser for this template\. Automatic parser generation failed:[^]{0,800}Error: Jinja Exception: System message must be at the beginning\.$/,
    lesson: 'system_messages:reminders',
    source: 'https://github.com/ggml-org/llama.cpp/issues/20733',
  },
  {
    operation: 'messages',
    message: /^`?temperature`? is deprecated for this model\.$/,
    lesson: 'refuses:temperature',
    source: DEPRECATED,
  },
  {
    operation: 'messages',
    message: /^`?top_p`? is deprecated for this model\.$/,
    lesson: 'refuses:top_p',
    source: DEPRECATED,
  },
  {
    operation: 'messages',
    message: /^`?top_k`? is deprecated for this model\.$/,
    lesson: 'refuses:top_k',
    source: DEPRECATED,
  },
]

function byMessage(message: string, operation: string): LessonName | undefined {
  if (message.length > MESSAGE_CHARACTERS_MAX) return undefined
  return knownMessages.find((known) => known.operation === operation && known.message.test(message))?.lesson
}
