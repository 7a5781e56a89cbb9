import { modelLimits, type ModelLimits } from '@tollgate/billing/model-limits'
import { isConversation } from '@tollgate/dialects/conversations'
import { recordAt, type JsonObject } from '@tollgate/dialects/json'
import { takesOutputLimit, resolveEndpoint } from '@tollgate/providers/prepare'
import type { Admitted } from '../admit/admitted.ts'
import { upstreamModel } from '../attempt/prepare.ts'

/** Output of one answer that is no conversation, or that nobody limits, where nobody knows the model. */
const OUTPUT_OF_UNKNOWN = 20_000

/**
 * The largest that a call may get on any channel that could serve it: a channel may send it on under the name of another
 * model.
 */
export function limitsOf(admitted: Admitted): ModelLimits {
  const { operation, ask, candidates } = admitted
  const offered = modelLimits(candidates.model)
  const names = { asked: ask.model, offered: candidates.model }
  const mapped = candidates.tiers
    .flat()
    .filter(({ modelMapping }) => modelMapping.size > 0)
    .map((channel) => upstreamModel(channel, names))
    .filter((model) => model !== undefined && model !== candidates.model)
    .map((model) => modelLimits(model ?? ''))
  // A name that the operator made up says nothing beside those of the models behind it.
  const isKnownByMapping = offered.isUnknown === true && mapped.length === candidates.tiers.flat().length
  const limits = mapped.reduce(larger, isKnownByMapping ? (mapped[0] ?? offered) : offered)
  const isText = isConversation(operation) || operation === 'completions' || operation === 'compact'
  if (isText && isUnlimited(admitted)) return { ...limits, reasoningTokensMax: outputUnlimited(limits) }
  if (isText) return reasoningAsked(ask.body) ? limits : { ...limits, reasoningTokensMax: 0 }
  if (limits.isUnknown !== true) return limits
  return { ...limits, outputTokensMax: Math.min(limits.outputTokensMax, OUTPUT_OF_UNKNOWN) }
}

/** Whether a channel that could serve the call does not keep to its limit on output. */
function isUnlimited({ operation, ask, candidates }: Admitted): boolean {
  if (ask.outputTokensMax === undefined) return false
  const names = { asked: ask.model, offered: candidates.model }
  return candidates.tiers.flat().some((channel) => {
    const resolved = resolveEndpoint(channel.provider, operation, upstreamModel(channel, names))
    return resolved !== undefined && !takesOutputLimit(resolved)
  })
}

/** What may come beside the output that was asked for, as reasoning does. */
function outputUnlimited({ outputTokensMax, reasoningTokensMax = 0, isUnknown }: ModelLimits): number {
  const longest = isUnknown === true ? OUTPUT_OF_UNKNOWN : outputTokensMax
  return Math.max(longest, reasoningTokensMax)
}

function larger(left: ModelLimits, right: ModelLimits): ModelLimits {
  const most = (name: 'contextTokens' | 'outputTokensMax' | 'reasoningTokensMax') =>
    Math.max(left[name] ?? 0, right[name] ?? 0)
  return {
    contextTokens: most('contextTokens'),
    outputTokensMax: most('outputTokensMax'),
    reasoningTokensMax: most('reasoningTokensMax'),
    ...((left.isUnknown || right.isUnknown) && { isUnknown: true as const }),
    ...((left.searches || right.searches) && { searches: true as const }),
  }
}

/**
 * Vendors who count reasoning beside the answer let a caller switch it off, each with a member of their own, and do not
 * look at the others': only a call that has both says it to whoever serves it.
 */
function reasoningAsked(body: JsonObject): boolean {
  return body['enable_thinking'] !== false || recordAt(body, 'thinking')?.['type'] !== 'disabled'
}
