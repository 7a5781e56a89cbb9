import type { ReadReply } from '@tollgate/dialects/canonical/codec'
import type { FeatureLimits } from '@tollgate/dialects/canonical/feature'
import type { Part } from '@tollgate/dialects/canonical/part'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { UsageReader } from '@tollgate/dialects/dialect'
import { badBody, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { findUnknownCounts } from '@tollgate/dialects/unknown-counts'
import { noUsage } from '@tollgate/dialects/usage'
import { countOrZero, isNoCount } from '@tollgate/dialects/usage-count'
import { functionsOnly, noFormats, oneTextAnswer, tunedBy, type VendorCodec } from '../define/vendor-codec.ts'
import { callNamed, readEnd } from './blocks.ts'
import { ConverseReader } from './read-stream.ts'
import { hasCallsWithoutTools, writeRequest } from './write-request.ts'

const limits: FeatureLimits = {
  ...tunedBy('temperature', 'top-p', 'top-k', 'stop', 'output-limit'),
  ...oneTextAnswer,
  ...functionsOnly,
  ...noFormats,
  seed: { does: 'drop', because: 'a seed never guarantees the same answer' },
  penalties: { does: 'refuse', because: 'there are no penalties' },
  logprobs: { does: 'refuse', because: 'they are not returned' },
  audio: { does: 'refuse', because: 'models accept no audio' },
  video: { does: 'refuse', because: 'videos must be in a bucket' },
}

/**
 * The Converse format that all Bedrock models support.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const converseChat: VendorCodec = {
  limits,
  takesUrl: () => false,
  // https://github.com/i-am-bee/beeai-framework/issues/753, read on 2026-11-30; Nova continues a turn of its own.
  refusesPrefill: /^(?!.*nova)/i,
  writesCallsAsTexts: hasCallsWithoutTools,
  writeRequest,
  readReply,
  openReader: (readUsage) => new ConverseReader(readUsage),
  readError: readUpstreamError,
  readUsage: readConverseUsage,
}

function readReply(body: JsonObject, readUsage: UsageReader): ReadReply {
  const message = recordAt(recordAt(body, 'output') ?? {}, 'message')
  if (message === undefined) return { type: 'error', error: badBody('bad_response_body') }
  return {
    type: 'reply',
    reply: {
      id: '',
      model: '',
      choices: [
        {
          parts: recordsAt(message, 'content').flatMap(readPart),
          end: readEnd(textAt(body, 'stopReason') ?? ''),
        },
      ],
      usage: readUsage(body),
    },
  }
}

function readPart(block: JsonObject): Part[] {
  const text = textAt(block, 'text')
  if (text !== undefined) return [{ type: 'text', text }]
  const thought = recordAt(recordAt(block, 'reasoningContent') ?? {}, 'reasoningText')
  if (thought !== undefined) return [{ type: 'reasoning', text: textAt(thought, 'text') ?? '' }]
  const use = recordAt(block, 'toolUse')
  if (use === undefined) return []
  const written = JSON.stringify(use['input'] ?? {})
  return [{ type: 'tool-call', ...callNamed(use), arguments: written, kind: 'function' }]
}

/** Cached input tokens are reported separately and are not part of `inputTokens`. */
function readConverseUsage(body: JsonObject): ReturnType<UsageReader> {
  const raw = recordAt(body, 'usage')
  if (raw === undefined) return undefined
  const inputText = countOrZero(raw['inputTokens'])
  const outputText = countOrZero(raw['outputTokens'])
  const cacheRead = countOrZero(raw['cacheReadInputTokens'])
  const cacheWrite5m = countOrZero(raw['cacheWriteInputTokens'])
  if (inputText + outputText + cacheRead + cacheWrite5m === 0) return undefined
  const isInputLost = INPUT.some((name) => isNoCount(raw[name]))
  const isOutputLost = isNoCount(raw['outputTokens'])
  const lost = {
    ...(isInputLost && { input: { least: 0 } }),
    ...(isOutputLost && { output: { least: 0, hidden: 0 } }),
  }
  return {
    ...noUsage,
    inputText,
    outputText,
    cacheRead,
    cacheWrite5m,
    ...((isInputLost || isOutputLost) && { lost }),
    ...findUnknownCounts('converse', raw),
    raw,
  }
}

const INPUT = ['inputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'] as const
