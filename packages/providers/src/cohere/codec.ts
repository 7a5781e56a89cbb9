import type { ReadReply } from '@tollgate/dialects/canonical/codec'
import type { FeatureLimits } from '@tollgate/dialects/canonical/feature'
import type { Part } from '@tollgate/dialects/canonical/part'
import type { UsageReader } from '@tollgate/dialects/dialect'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { errorInside, insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { findUnknownCounts } from '@tollgate/dialects/unknown-counts'
import { noUsage } from '@tollgate/dialects/usage'
import { countOrZero, isNoCount } from '@tollgate/dialects/usage-count'
import { functionsOnly, oneTextAnswer, tunedBy, type VendorCodec } from '../define/vendor-codec.ts'
import { readEnd } from './ends.ts'
import { readCall, readCitation } from './parts.ts'
import { CohereStreamReader } from './read-stream.ts'
import { writeRequest } from './write-request.ts'

const limits: FeatureLimits = {
  ...tunedBy('temperature', 'top-p', 'top-k', 'seed', 'penalties', 'stop', 'output-limit', 'reasoning'),
  ...oneTextAnswer,
  ...functionsOnly,
  logprobs: { does: 'refuse', because: 'they have another format' },
  audio: { does: 'refuse', because: 'models accept images only' },
  video: { does: 'refuse', because: 'models accept images only' },
  file: { does: 'refuse', because: 'documents have another format' },
  'result-media': { does: 'refuse', because: 'results are text' },
}

/** Cohere's chat API, version 2. https://docs.cohere.com/reference/chat */
export const cohereChat: VendorCodec = {
  limits,
  takesUrl: ({ type }) => type === 'image',
  writeRequest,
  readReply,
  openReader: (readUsage) => new CohereStreamReader(readUsage),
  readError: readUpstreamError,
  readUsage: readCohereUsage,
}

function readReply(body: JsonObject, readUsage: UsageReader): ReadReply {
  const message = recordAt(body, 'message')
  const error =
    errorInside(body) ?? (message === undefined ? insideError(textAt(body, 'message') ?? '') : undefined)
  if (error !== undefined) return { type: 'error', error }
  const parts = readParts(message ?? {})
  return {
    type: 'reply',
    reply: {
      id: textAt(body, 'id') ?? '',
      model: '',
      choices: [{ parts, end: readEnd(textAt(body, 'finish_reason') ?? '') }],
      usage: readUsage(body),
    },
  }
}

function readParts(message: JsonObject): Part[] {
  const plan = textAt(message, 'tool_plan')
  const citations = recordsAt(message, 'citations').map(readCitation)
  const content = recordsAt(message, 'content').flatMap((part): Part[] => {
    const thinking = textAt(part, 'thinking')
    if (thinking !== undefined) return [{ type: 'reasoning', text: thinking }]
    const text = textAt(part, 'text')
    return text === undefined
      ? []
      : [{ type: 'text', text, citations: citations.length > 0 ? citations : undefined }]
  })
  const calls = recordsAt(message, 'tool_calls').map((call) => readCall(call))
  return [...(plan === undefined ? [] : [{ type: 'reasoning' as const, text: plan }]), ...content, ...calls]
}

/**
 * Counts the tokens that the model read and wrote. The billed units are lower, so they are used only when
 * these counts are missing.
 */
function readCohereUsage(answer: JsonObject): ReturnType<UsageReader> {
  const raw = recordAt(answer, 'usage')
  const counted = raw && (recordAt(raw, 'tokens') ?? recordAt(raw, 'billed_units'))
  if (raw === undefined || counted === undefined) return undefined
  const isInputLost = isNoCount(counted['input_tokens'])
  const isOutputLost = isNoCount(counted['output_tokens'])
  const cached = countOrZero(raw['cached_tokens'])
  const input = isInputLost ? cached : countOrZero(counted['input_tokens'])
  const outputText = countOrZero(counted['output_tokens'])
  if (input + outputText === 0) return undefined
  const cacheRead = Math.min(input, cached)
  const lost = {
    ...(isInputLost && { input: { least: 0 } }),
    ...(isOutputLost && { output: { least: 0, hidden: 0 } }),
  }
  return {
    ...noUsage,
    inputText: input - cacheRead,
    cacheRead,
    outputText,
    ...((isInputLost || isOutputLost) && { lost }),
    ...findUnknownCounts('cohere', raw),
    raw,
  }
}
