import type { ToolCallPart } from '@tollgate/dialects/canonical/part'
import type { ChoiceEnd } from '@tollgate/dialects/canonical/reply'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { FeatureLimits } from '@tollgate/dialects/canonical/feature'
import { errorInside, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { usageReader } from '@tollgate/dialects/openai-usage'
import { functionsOnly, oneTextAnswer, tunedBy, type VendorCodec } from '../define/vendor-codec.ts'
import { objectParts, plainReply, type ReplyParts } from '../define/plain-reply.ts'
import { writeRequest } from './write-request.ts'

const limits: FeatureLimits = {
  ...tunedBy('temperature', 'top-p', 'top-k', 'seed', 'penalties', 'stop', 'output-limit', 'reasoning'),
  ...oneTextAnswer,
  ...functionsOnly,
  logprobs: { does: 'refuse', because: 'they have another format' },
  audio: { does: 'refuse', because: 'models accept images only' },
  video: { does: 'refuse', because: 'models accept images only' },
  file: { does: 'refuse', because: 'models accept images only' },
  'result-media': { does: 'refuse', because: 'results are text' },
  'tool-choice': { does: 'refuse', because: 'the model decides' },
}

const countsOf = usageReader({})

/**
 * https://github.com/ollama/ollama/blob/main/docs/api.md. Streams are newline-delimited JSON, and tool calls
 * are never split.
 */
export const ollamaChat: VendorCodec = {
  limits,
  takesUrl: () => false,
  writeRequest,
  readReply: (body) => plainReply(received(body)),
  openReader: () => openReader(),
  readError: readUpstreamError,
  readUsage: (body) =>
    countsOf({ usage: { prompt_tokens: body['prompt_eval_count'], completion_tokens: body['eval_count'] } }),
}

/** Tool calls come before the last line. The reader counts them, because they determine the stop reason. */
function openReader() {
  let calls = 0
  return objectParts((body) => {
    const said = received(body, calls)
    calls += said.calls?.length ?? 0
    return said
  })
}

function received(body: JsonObject, before = 0): ReplyParts {
  const error = errorInside(body)
  if (error !== undefined) return { error }
  const message = recordAt(body, 'message') ?? {}
  // Tool calls do not always have an id. The time of the response makes generated ids unique within a
  // conversation.
  const stamp = (textAt(body, 'created_at') ?? '').replaceAll(/\D/g, '')
  const calls = recordsAt(message, 'tool_calls').map((call, index) =>
    readCall(call, `${stamp}${before + index}`),
  )
  const created = Date.parse(textAt(body, 'created_at') ?? '')
  return {
    id: '',
    createdSeconds: Number.isNaN(created) ? undefined : Math.floor(created / 1000),
    reasoning: textAt(message, 'thinking'),
    text: textAt(message, 'content'),
    calls,
    usage: body['done'] === true ? ollamaChat.readUsage(body) : undefined,
    end: body['done'] === true ? endOf(body, before + calls.length) : undefined,
  }
}

function readCall(call: JsonObject, fallback: string): ToolCallPart {
  const called = recordAt(call, 'function') ?? {}
  return {
    type: 'tool-call',
    id: textAt(call, 'id') ?? `call_${fallback}`,
    name: textAt(called, 'name') ?? '',
    arguments: JSON.stringify(called['arguments'] ?? {}),
    kind: 'function',
  }
}

/** `load` and `unload` mean that the request had nothing to answer. */
function endOf(body: JsonObject, calls: number): ChoiceEnd {
  const raw = textAt(body, 'done_reason') ?? 'stop'
  if (raw === 'length') return { reason: 'length', raw }
  return { reason: calls > 0 ? 'tool-calls' : 'stop', raw }
}
