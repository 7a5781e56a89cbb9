import type { UsageReader } from '../dialect.ts'
import { recordAt, recordsAt, type JsonObject } from '../json.ts'
import { readOpenAiUsage } from '../openai-usage.ts'
import { noUsage, outputTokens, type Usage } from '../usage.ts'
import { tokensOfSeconds } from './input.ts'

/**
 * Counts images by number and, if the vendor reports tokens, by tokens.
 * https://platform.openai.com/docs/api-reference/images
 */
export const readImageUsage: UsageReader = (answer) => {
  const images = recordsAt(answer, 'data').length
  const reported = readOpenAiUsage(answer)
  if (reported === undefined) return images === 0 ? undefined : { ...noUsage, images }
  return { ...drawn(reported, answer), images: images > 0 ? images : undefined }
}

/** If there are no details, all output tokens are image tokens. */
function drawn(usage: Usage, answer: JsonObject): Usage {
  const details = recordAt(recordAt(answer, 'usage') ?? {}, 'output_tokens_details')
  return details === undefined ? { ...usage, outputText: 0, outputImage: outputTokens(usage) } : usage
}

/**
 * Reads tokens or seconds, from the usage or beside the text.
 * https://platform.openai.com/docs/api-reference/audio
 */
export const readTranscriptUsage: UsageReader = (answer) => {
  const usage = recordAt(answer, 'usage')
  if (usage !== undefined && usage['type'] !== 'duration') {
    const reported = readOpenAiUsage(answer)
    if (reported !== undefined) return reported
  }
  const seconds = usage?.['seconds'] ?? answer['duration']
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds < SECONDS_MAX)) return undefined
  return { ...noUsage, inputText: tokensOfSeconds(seconds), raw: usage ?? { seconds } }
}

const SECONDS_MAX = 1_000_000

/** A search request counts as one call of the web search tool. */
export const readSearchUsage: UsageReader = () => ({ ...noUsage, toolCalls: { web_search: 1 } })

/**
 * Some vendors report the tokens of a rerank in `meta`. https://docs.siliconflow.cn/cn/api-reference/rerank
 */
export const readRerankUsage: UsageReader = (answer) => {
  const reported = readOpenAiUsage(answer)
  if (reported !== undefined) return reported
  const meta = recordAt(answer, 'meta') ?? {}
  const usage = recordAt(meta, 'tokens') ?? recordAt(meta, 'billed_units')
  return usage === undefined ? undefined : readOpenAiUsage({ usage })
}
