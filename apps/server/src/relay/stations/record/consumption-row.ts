import { ownValue } from '@tollgate/kit/own-value'
import { contextTierOf } from '@tollgate/billing/context-tiers'
import { chargeUnits } from '@tollgate/billing/charge'
import { costUnits } from '@tollgate/billing/cost'
import type { Price, PriceRule } from '@tollgate/billing/price'
import { shortMembersOf } from '@tollgate/dialects/droppable-body'
import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { affinityResult } from '../../affinity/result.ts'
import type { Delivered, Route } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { Charged } from '../settle/assess.ts'
import { priceMembers } from './ratios.ts'
import { adminInfo, droppedOf, lessonsOf, receiptOf, rowOf } from './row.ts'

/** The value for a missing first-byte time, as clients written for new-api expect it. */
const NO_FIRST_BYTE = -1000

/** The log row of a charged call. The ledger fills in the quota and the flags. */
export function consumptionRow(held: Held, { usage, exit }: Charged, now: number): UsageLogRow {
  const other = JSON.stringify({ ...answerOf(held, exit), ...otherOf(held, { usage, route: exit }) })
  return rowOf(held, now, {
    type: LOG_TYPE.consumption,
    model: modelNameOf(held),
    // Without a token count, the number of images is reported as input tokens.
    inputTokens: inputTokens(usage) || (usage.images ?? 0),
    outputTokens: outputTokens(usage),
    other: `{${priceMembers(held.price)},${other.slice(1)}`,
    cost: costUnits(exit.channel.costs, held.price, usage),
    cachedTokens: usage.cacheRead,
    cacheSaved: savedByCache(held.price, usage),
  })
}

/**
 * What the usage would have cost without the upstream's cache, less what it costs; negative when the cache was
 * written and not read.
 */
function savedByCache(price: Price, usage: Usage): bigint {
  const { inputText, cacheRead, cacheWrite5m, cacheWrite1h } = usage
  const cached = cacheRead + cacheWrite5m + cacheWrite1h
  if (cached === 0) return 0n
  const plain = { ...usage, inputText: inputText + cached, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }
  return chargeUnits(price, plain) - chargeUnits(price, usage)
}

/** The requested model name; for a price with a wildcard, the wildcard name. */
function modelNameOf({ price, ask }: Held): string {
  return price.model.endsWith('*') ? price.model : ask.model
}

/** Longer ids are not stored. */
const ID_CHARACTERS_MAX = 128

/** What `GET /v1/generation` reports of the answer. */
function answerOf({ operation }: Held, { reading: { replyId = '', finish } }: Delivered) {
  return {
    operation: operation.name,
    ...(replyId !== '' && replyId.length <= ID_CHARACTERS_MAX && { answer_id: replyId }),
    ...(finish !== undefined && { finish_reason: finish.reason }),
  }
}

function otherOf(held: Held, { usage, route }: { usage: Usage; route: Route }) {
  const { call, ask, price, candidates } = held
  const effort = shortMembersOf(ask)['reasoning_effort']
  const { upstreamModel, isSystemPromptOverwritten, overrideNotes = [] } = route
  const isMapped = upstreamModel !== candidates.model
  const cacheWrites = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    cache_tokens: usage.cacheRead,
    frt: call.firstByteAt === undefined ? NO_FIRST_BYTE : Math.round(call.firstByteAt - call.startedAt),
    ...(cacheWrites > 0 && { cache_creation_tokens: cacheWrites }),
    ...(usage.turns !== undefined && { ws: true }),
    ...(usage.inputAudio + usage.outputAudio > 0 && audioOf(usage, price.rule)),
    ...(usage.inputImage + usage.outputImage > 0 && picturesOf(usage, price.rule)),
    ...surchargesOf(usage, price),
    ...tierOf(usage, price),
    ...contextOf(usage, price),
    ...(typeof effort === 'string' && { reasoning_effort: effort }),
    ...(isMapped && { is_model_mapped: true, upstream_model_name: upstreamModel }),
    ...(isSystemPromptOverwritten && { is_system_prompt_overwritten: true }),
    ...(overrideNotes.length > 0 && { po: overrideNotes }),
    ...droppedOf(call),
    ...lessonsOf(call),
    affinity: affinityResult(held),
    admin_info: { ...adminInfo(held), ...ruleOf(held) },
    receipt: receiptOf(held, usage),
  }
}

/** The rule by which the call was bound, and its session, which is not the one that the caller named. */
function ruleOf({ affinity }: Held): Record<string, unknown> {
  const { rule, session } = affinity ?? {}
  return rule === undefined ? {} : { affinity_rule: rule, affinity_session: session }
}

/** The tool calls that were charged; a tool price is in currency per 1,000 calls. */
function surchargesOf({ toolCalls }: Usage, { toolPrices }: Price): Record<string, unknown> {
  if (toolCalls === undefined || toolPrices === undefined) return {}
  const paid = Object.entries(toolCalls).filter(
    ([name, count]) => count > 0 && Object.hasOwn(toolPrices, name),
  )
  if (paid.length === 0) return {}
  return {
    tool_surcharges: paid.map(([name, count]) => ({ name, count, price: Number(toolPrices[name]) })),
  }
}

/** The service tier of the response and its price ratio. */
function tierOf({ serviceTier }: Usage, { tierRatios = {} }: Price): Record<string, unknown> {
  if (serviceTier === undefined) return {}
  const ratio = Number(ownValue(tierRatios, serviceTier) ?? 1)
  return { service_tier: serviceTier, service_tier_ratio: ratio }
}

/** The price tier by context length that applied to the call. */
function contextOf(usage: Usage, { contextTiers }: Price): Record<string, unknown> {
  const tier = contextTierOf(contextTiers, usage)
  if (tier === undefined) return {}
  const { above, input, output, cache } = tier
  return { context_tier: { above, input: Number(input), output: Number(output), cache: Number(cache) } }
}

function picturesOf(usage: Usage, rule: PriceRule): Record<string, unknown> {
  return {
    image: true,
    image_output: usage.outputImage,
    ...(rule.type === 'ratio' && { image_ratio: Number(rule.imageRatio) }),
  }
}

function audioOf(usage: Usage, rule: PriceRule): Record<string, unknown> {
  return {
    ...(usage.turns === undefined && { audio: true }),
    audio_input: usage.inputAudio,
    audio_output: usage.outputAudio,
    text_input: usage.inputText,
    text_output: usage.outputText,
    ...(rule.type === 'ratio' && {
      audio_ratio: Number(rule.audioRatio),
      audio_completion_ratio: Number(rule.audioCompletionRatio),
    }),
  }
}
