import { ownValue } from '@tollgate/kit/own-value'
import { contextTierOf } from '@tollgate/billing/context-tiers'
import { chargeUnits } from '@tollgate/billing/charge'
import type { Price, PriceRule } from '@tollgate/billing/price'
import { shortMembersOf } from '@tollgate/dialects/droppable-body'
import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { affinityResult } from '../../affinity/result.ts'
import type { Delivered } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { Charged } from '../settle/assess.ts'
import { computeCost, findToldCost } from '../../prices/price-usage.ts'
import { priceMembers } from './ratios.ts'
import { adminInfo, describeLeaving, receiptOf, rowOf } from './row.ts'

/** The value for a missing first-byte time, as clients written for new-api expect it. */
const NO_FIRST_BYTE = -1000

/** The log row of a charged call. The ledger fills in the quota and the flags. */
export function consumptionRow(held: Held, charged: Charged, now: number): UsageLogRow {
  const { usage, parts, price, exit } = charged
  const tokens = (count: (used: Usage) => number): number =>
    parts.reduce((sum, part) => sum + count(part.usage), count(usage))
  const other = JSON.stringify(buildOther(held, charged))
  return rowOf(held, now, {
    type: LOG_TYPE.consumption,
    model: modelNameOf(held),
    // Without a token count, the number of images is reported as input tokens.
    inputTokens: tokens(inputTokens) || (usage.images ?? 0),
    outputTokens: tokens(outputTokens),
    other: `{${priceMembers(price)},${other.slice(1)}`,
    cost: computeCost(held, charged, exit),
    cachedTokens: usage.cacheRead,
    cacheSaved: savedByCache(price, usage),
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

type ToolCalls = NonNullable<Usage['toolCalls']>

/** Members without a value are left out of the JSON. */
type Other = Record<string, unknown>

function buildOther(held: Held, charged: Charged): Other {
  const { usage, price, exit } = charged
  const { call, ask, candidates } = held
  const { upstreamModel, isSystemPromptOverwritten, overrideNotes = NO_NOTES } = exit
  const effort = shortMembersOf(ask)['reasoning_effort']
  const cacheWrites = usage.cacheWrite5m + usage.cacheWrite1h
  const isMapped = upstreamModel !== candidates.model
  const other = answerOf(held, exit)
  other['cache_tokens'] = usage.cacheRead
  other['frt'] =
    call.firstByteAt === undefined ? NO_FIRST_BYTE : Math.round(call.firstByteAt - call.startedAt)
  if (cacheWrites > 0) other['cache_creation_tokens'] = cacheWrites
  if (usage.turns !== undefined) other['ws'] = true
  if (usage.inputAudio + usage.outputAudio > 0) Object.assign(other, audioOf(usage, price.rule))
  if (usage.inputImage + usage.outputImage > 0) Object.assign(other, picturesOf(usage, price.rule))
  if (usage.toolCalls !== undefined) Object.assign(other, surchargesOf(usage.toolCalls, price))
  if (usage.serviceTier !== undefined) Object.assign(other, tierOf(usage.serviceTier, price))
  if (price.contextTiers !== undefined) Object.assign(other, contextOf(usage, price))
  if (typeof effort === 'string') other['reasoning_effort'] = effort
  if (isMapped) {
    other['is_model_mapped'] = true
    other['upstream_model_name'] = upstreamModel
  }
  if (isSystemPromptOverwritten) other['is_system_prompt_overwritten'] = true
  if (overrideNotes.length > 0) other['po'] = overrideNotes
  if (call.dropped.length > 0) other['dropped'] = call.dropped
  if (call.lessons.length > 0) other['lessons'] = call.lessons
  if (call.repairs.length > 0) other['repairs'] = call.repairs
  Object.assign(other, describeLeaving(call, exit))
  other['affinity'] = affinityResult(held)
  other['admin_info'] = {
    ...adminInfo(held),
    ...ruleOf(held),
    ...describeServed(charged),
    unknown_usage: usage.unknownCounts,
    ...describeToldCost(held, charged),
  }
  other['receipt'] = receiptOf({ ...held, price }, usage, charged.parts)
  return other
}

const NO_NOTES: readonly string[] = []

/** What `GET /v1/generation` reports of the answer. */
function answerOf({ operation }: Held, { reading: { replyId = '', finish } }: Delivered): Other {
  return {
    operation: operation.name,
    answer_id: replyId !== '' && replyId.length <= ID_CHARACTERS_MAX ? replyId : undefined,
    finish_reason: finish?.reason,
  }
}

/** The model that the upstream named instead of the one that was sent; shown to operators only. */
function describeServed({ servedOther, unknownName }: Charged): Other {
  const served = servedOther ?? unknownName
  return served === undefined ? {} : { served_model: served.slice(0, ID_CHARACTERS_MAX) }
}

/** What the vendor told of its cost; shown to operators only. */
function describeToldCost(held: Held, charged: Charged): Other {
  const cost = findToldCost(held, charged, charged.exit)
  if (cost === undefined) return {}
  return { told_cost: cost.amount, ...(cost.isDoubted && { is_cost_doubted: true }) }
}

/** The rule by which the call was bound, and its session, which is not the one that the caller named. */
function ruleOf({ affinity }: Held): Other {
  const { rule, session } = affinity ?? {}
  return rule === undefined ? {} : { affinity_rule: rule, affinity_session: session }
}

/** The tool calls that were charged; a tool price is in currency per 1,000 calls. */
function surchargesOf(toolCalls: ToolCalls, { toolPrices }: Price): Other {
  if (toolPrices === undefined) return {}
  const paid = Object.entries(toolCalls).filter(
    ([name, count]) => count > 0 && Object.hasOwn(toolPrices, name),
  )
  if (paid.length === 0) return {}
  return {
    tool_surcharges: paid.map(([name, count]) => ({ name, count, price: Number(toolPrices[name]) })),
  }
}

/** The service tier of the response and its price ratio. */
function tierOf(serviceTier: string, { tierRatios = {} }: Price): Other {
  const ratio = Number(ownValue(tierRatios, serviceTier) ?? 1)
  return { service_tier: serviceTier, service_tier_ratio: ratio }
}

/** The price tier by context length that applied to the call. */
function contextOf(usage: Usage, { contextTiers }: Price): Other {
  const tier = contextTierOf(contextTiers, usage)
  if (tier === undefined) return {}
  const { above, input, output, cache } = tier
  return { context_tier: { above, input: Number(input), output: Number(output), cache: Number(cache) } }
}

function picturesOf(usage: Usage, rule: PriceRule): Other {
  return {
    image: true,
    image_output: usage.outputImage,
    ...(rule.type === 'ratio' && { image_ratio: Number(rule.imageRatio) }),
  }
}

function audioOf(usage: Usage, rule: PriceRule): Other {
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
