import { modelLimits, type ModelLimits } from '@tollgate/billing/model-limits'
import { findAddedOutput } from '@tollgate/dialects/added-output'
import { recordAt, type JsonObject } from '@tollgate/dialects/json'
import { takesOutputLimit, resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import { channelsOf } from '../../../snapshots/roster.ts'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import type { LongAnswers } from '../../lessons/long-answers.ts'
import type { Admitted } from '../admit/admitted.ts'
import { type ModelNames, upstreamModel } from '../../upstream-model.ts'

/**
 * Output assumed for one response of an unknown model, where the call is not a conversation or its limit is
 * ignored.
 */
const OUTPUT_OF_UNKNOWN = 20_000

/** The largest limits on any channel that could serve the call: a channel may map it to another model. */
export function limitsOf(admitted: Admitted): ModelLimits {
  const { operation, ask, candidates } = admitted
  const offered = modelLimits(candidates.model)
  const channels = channelsOf(candidates)
  const mapped = mappedLimits(channels, { asked: ask.model, offered: candidates.model })
  // If every channel maps the name to another model, only the limits of those models count, because the name
  // itself is the operator's invention.
  const isKnownByMapping = offered.isUnknown === true && mapped.length === channels.length
  const limits = mapped.reduce(larger, isKnownByMapping ? (mapped[0] ?? offered) : offered)
  const isText = operation.sizes === 'text'
  if (isText && isUnlimited(admitted)) return { ...limits, reasoningTokensMax: outputUnlimited(limits) }
  if (isText && limits.isUnknown === true) return { ...limits, ...unknownOutput(admitted, limits) }
  if (isText) return reasoningAsked(ask.body) ? limits : { ...limits, reasoningTokensMax: 0 }
  if (limits.isUnknown !== true) return limits
  return { ...limits, outputTokensMax: Math.min(limits.outputTokensMax, OUTPUT_OF_UNKNOWN) }
}

/**
 * The caller's limit bounds the answer of a model that nobody knows, unless another member adds to it, or the
 * model wrote more than it was asked for before.
 */
function unknownOutput(
  { ask, writesMore = false }: Admitted,
  { outputTokensMax: most }: ModelLimits,
): Pick<ModelLimits, 'reasoningTokensMax'> {
  const { outputTokensMax: callerLimit = most, body } = ask
  const isBounded = !writesMore && findAddedOutput(body) === undefined
  return { reasoningTokensMax: isBounded ? 0 : Math.max(0, most - callerLimit) }
}

const NONE_MAPPED: readonly ModelLimits[] = []

/** The limits of the other models to which channels map the name. */
function mappedLimits(channels: readonly RosterChannel[], names: ModelNames): readonly ModelLimits[] {
  if (channels.every(({ modelMapping }) => modelMapping.size === 0)) return NONE_MAPPED
  return channels.flatMap((channel) => {
    const model = upstreamModel(channel, names)
    return model === undefined || model === names.offered ? [] : [modelLimits(model)]
  })
}

/** Whether a channel that could serve the call does not support the output limit. */
function isUnlimited({ operation, ask, candidates }: Admitted): boolean {
  if (ask.outputTokensMax === undefined) return false
  const names = { asked: ask.model, offered: candidates.model }
  return channelsOf(candidates).some((channel) => {
    const resolved = resolveEndpoint(channel.provider, operation.wire, upstreamModel(channel, names))
    return resolved !== undefined && !takesOutputLimit(resolved)
  })
}

/** Output that may come beyond the requested limit; it is bounded in the same way as reasoning. */
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
    isUnknown: left.isUnknown ?? right.isUnknown,
    searches: left.searches ?? right.searches,
  }
}

/**
 * Vendors that count reasoning separately from the output let a caller switch it off, each with its own
 * request member, and ignore the members of other vendors. Only a request with both members switches
 * reasoning off at every vendor.
 */
function reasoningAsked(body: JsonObject): boolean {
  return body['enable_thinking'] !== false || recordAt(body, 'thinking')?.['type'] !== 'disabled'
}

/** Whether a channel that could serve the call has a model whose answers are longer than asked. */
export function findLongAnswers(
  { ask, candidates }: Admitted,
  longAnswers: Pick<LongAnswers, 'has'>,
): boolean {
  if (ask.outputTokensMax === undefined) return false
  const names = { asked: ask.model, offered: candidates.model }
  return channelsOf(candidates).some((channel) => {
    const model = upstreamModel(channel, names) ?? candidates.model
    return modelLimits(model).isUnknown === true && longAnswers.has(channel.id, model)
  })
}
