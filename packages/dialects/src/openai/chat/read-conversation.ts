import { rawOf } from '../../canonical/raw.ts'
import type { AskPath } from '../../canonical/codec.ts'
import type { Conversation, OutputFormat, Sampling } from '../../canonical/conversation.ts'
import {
  flag,
  numberOf,
  recordOf,
  textOf,
  textsOf,
  unknownMembers,
  memberNames,
} from '../../canonical/members.ts'
import { isRecord, recordAt, textAt, type JsonObject } from '../../json.ts'
import { readMessages } from './read-messages.ts'
import { readTools } from './read-tools.ts'
import { readReasoningRequest } from './reasoning-effort.ts'

/**
 * Reads the body of a chat completions request. https://platform.openai.com/docs/api-reference/chat/create
 */
export function readConversation(body: JsonObject, path: AskPath): Conversation {
  const extras = unknownMembers(body, known, 'openai')
  const format = readFormat(body)
  return {
    model: textOf(body, 'model') ?? path.model ?? '',
    isStream: flag(body, 'stream') ?? path.isStream ?? false,
    messages: readMessages(body),
    ...readTools(body),
    sampling: readSampling(body),
    stop: textsOf(body, 'stop'),
    choices: numberOf(body, 'n') ?? 1,
    metadata: {
      userId: textOf(body, 'user') ?? textOf(body, 'safety_identifier'),
      cacheKey: textOf(body, 'prompt_cache_key'),
      entries: recordOf(body, 'metadata'),
    },
    extras: extras === undefined ? {} : { openai: extras.value },
    format,
    reasoning: readReasoningRequest(body),
    outputTokensMax: numberOf(body, 'max_completion_tokens') ?? numberOf(body, 'max_tokens'),
    logprobs: flag(body, 'logprobs') === true ? { top: numberOf(body, 'top_logprobs') ?? 0 } : undefined,
    modalities: readModalities(body),
    audio: readVoice(body),
    verbosity: textOf(body, 'verbosity'),
    serviceTier: rawOf('openai', textOf(body, 'service_tier')),
    wantsUsage: flag(recordOf(body, 'stream_options') ?? {}, 'include_usage'),
  }
}

/**
 * Members that the readers of this directory understand; all others are forwarded only to an upstream of the
 * same dialect.
 */
const known = memberNames(
  `model stream stream_options messages tools functions tool_choice function_call parallel_tool_calls
   web_search_options temperature top_p top_k frequency_penalty presence_penalty logit_bias seed stop n user
   safety_identifier prompt_cache_key metadata response_format reasoning_effort reasoning thinking enable_thinking
   max_completion_tokens max_tokens logprobs top_logprobs modalities audio verbosity service_tier`,
)

function readSampling(body: JsonObject): Sampling {
  return {
    temperature: numberOf(body, 'temperature'),
    topP: numberOf(body, 'top_p'),
    topK: numberOf(body, 'top_k'),
    frequencyPenalty: numberOf(body, 'frequency_penalty'),
    presencePenalty: numberOf(body, 'presence_penalty'),
    logitBias: readBias(body),
    seed: numberOf(body, 'seed'),
  }
}

function readBias(body: JsonObject): Record<string, number> | undefined {
  const bias = recordOf(body, 'logit_bias')
  if (bias === undefined) return undefined
  const reported = Object.keys(bias).map((token) => [token, numberOf(bias, token) ?? 0] as const)
  return Object.fromEntries(reported)
}

/** https://platform.openai.com/docs/guides/structured-outputs */
function readFormat(body: JsonObject): OutputFormat | undefined {
  const format = recordOf(body, 'response_format')
  const type = format && textAt(format, 'type')
  if (format === undefined || type === undefined) return undefined
  if (type === 'json_object') return { type: 'json' }
  if (type !== 'json_schema') return { type: 'text' }
  const named = recordAt(format, 'json_schema') ?? format
  return {
    type: 'schema',
    name: textAt(named, 'name') ?? 'answer',
    schema: recordAt(named, 'schema') ?? {},
    description: textAt(named, 'description'),
    isStrict: flag(named, 'strict'),
  }
}

function readModalities(body: JsonObject): Conversation['modalities'] {
  const wanted: unknown = body['modalities']
  if (!Array.isArray(wanted)) return undefined
  return (['text', 'audio', 'image'] as const).filter((kind) => wanted.includes(kind))
}

function readVoice(body: JsonObject): Conversation['audio'] {
  const audio = body['audio']
  return isRecord(audio) ? { voice: audio['voice'], format: textAt(audio, 'format') ?? 'wav' } : undefined
}
