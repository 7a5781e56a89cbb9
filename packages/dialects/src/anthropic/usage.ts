import type { UsageReader } from '../dialect.ts'
import { searchCount } from '../canonical/searches.ts'
import { recordAt, type JsonObject } from '../json.ts'
import { anthropicTier } from '../service-tier.ts'
import { divideSteps } from './iterations.ts'
import { noUsage, type LostCounts, type Usage } from '../usage.ts'
import { countOrZero, isNoCount } from '../usage-count.ts'
import { findUnknownCounts } from '../unknown-counts.ts'

/**
 * Reads the usage of a message, or of the stream event that carries it. Anthropic's buckets are already
 * disjoint: `input_tokens` excludes tokens read from the cache and tokens written to it.
 * https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
export const readAnthropicUsage: UsageReader = (answer) => {
  const raw = recordAt(answer, 'usage') ?? recordAt(recordAt(answer, 'message') ?? {}, 'usage')
  return raw === undefined ? undefined : usageOf(raw)
}

/** Returns `undefined` when the object reports no tokens. */
export function usageOf(raw: JsonObject): Usage | undefined {
  const counts = readCounts(raw)
  if (counts === undefined) return undefined
  const { answer, parts } = divideSteps(raw, { ...counts, ...anthropicTier(raw) }, readCounts)
  const usage = { ...answer, toolCalls: serverTools(raw), ...findUnknownCounts('anthropic', raw), raw }
  return parts.length === 0 ? usage : { ...usage, parts }
}

/** The token buckets of a usage object, or of one step in it. */
function readCounts(raw: JsonObject): Usage | undefined {
  const written = recordAt(raw, 'cache_creation') ?? {}
  const input = countOrZero(raw['input_tokens'])
  const output = countOrZero(raw['output_tokens'])
  const read = countOrZero(raw['cache_read_input_tokens'])
  const total = countOrZero(raw['cache_creation_input_tokens'])
  const hour = countOrZero(written['ephemeral_1h_input_tokens'])
  const short = countOrZero(written['ephemeral_5m_input_tokens'])
  const writes = divideWrites({ total, hour, short })
  if (input + output + read + total + hour + short === 0) return undefined
  const lost = findLost(raw, written)
  return {
    ...noUsage,
    inputText: input,
    cacheRead: read,
    ...writes,
    outputText: output,
    ...(lost !== undefined && { lost }),
  }
}

const INPUT = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const
const WRITES = ['ephemeral_1h_input_tokens', 'ephemeral_5m_input_tokens'] as const

/** The input is the sum of its members, so one of them that is no count leaves the input unknown. */
function findLost(raw: JsonObject, written: JsonObject): LostCounts | undefined {
  const isInputLost = INPUT.some((name) => isNoCount(raw[name]))
  const isOutputLost = isNoCount(raw['output_tokens'])
  const isPartLost = WRITES.some((name) => isNoCount(written[name]))
  if (!isInputLost && !isOutputLost && !isPartLost) return undefined
  return {
    ...(isInputLost && { input: { least: 0 } }),
    ...(isOutputLost && { output: { least: 0, hidden: 0 } }),
    ...(isPartLost && { isPartLost }),
  }
}

interface CacheWrites {
  readonly total: number
  readonly hour: number
  readonly short: number
}

/**
 * The total of cache writes is reported beside its parts, and sometimes without them; some relays report parts
 * alone. Where the parts are more than their total, what lives longest is kept and the rest cut.
 */
function divideWrites({
  total,
  hour,
  short,
}: CacheWrites): Pick<Usage, 'cacheWrite5m' | 'cacheWrite1h' | 'isMended'> {
  if (total === 0 || hour + short <= total)
    return { cacheWrite5m: Math.max(short, total - hour), cacheWrite1h: hour }
  const kept = Math.min(hour, total)
  return { cacheWrite5m: total - kept, cacheWrite1h: kept, isMended: true }
}

/**
 * Merges usage of two stream events: a member of the later event replaces the earlier one; a member that the
 * later event omits is kept.
 */
export function laterUsage(earlier: JsonObject | undefined, later: JsonObject): JsonObject {
  const entries = Object.entries(later).filter(([, value]) => value !== undefined && value !== null)
  return { ...earlier, ...Object.fromEntries(entries) }
}

/** `searches`: the number of searches in the answer, where the usage has no number of them. */
export function writeUsage(usage: Usage, searches = 0): JsonObject {
  const requests = searchCount(usage, searches)
  return {
    input_tokens: usage.inputText + usage.inputImage + usage.inputAudio,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation:
      usage.cacheWrite5m + usage.cacheWrite1h > 0
        ? {
            ephemeral_5m_input_tokens: usage.cacheWrite5m,
            ephemeral_1h_input_tokens: usage.cacheWrite1h,
          }
        : undefined,
    output_tokens: usage.outputText + usage.outputAudio + usage.outputImage,
    server_tool_use: requests > 0 ? { web_search_requests: requests } : undefined,
  }
}

function serverTools(raw: JsonObject): Record<string, number> | undefined {
  const reported = recordAt(raw, 'server_tool_use')
  const searches = countOrZero(reported?.['web_search_requests'])
  const runs = countOrZero(reported?.['code_execution_requests'])
  if (searches <= 0 && runs <= 0) return undefined
  // One container serves all runs of an answer.
  return { ...(searches > 0 && { web_search: searches }), ...(runs > 0 && { code_execution: 1 }) }
}
