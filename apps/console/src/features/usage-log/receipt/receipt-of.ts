import { type FixedPoint, roundHalfAway, ZERO } from '@tollgate/billing/decimal'
import type { PriceRule } from '@tollgate/billing/price'
import type { LogRow } from '@tollgate/contract/log'
import type { Usage } from '@tollgate/billing/buckets'
import type { CallRecord } from '../record/call-record.ts'
import { isConsumption } from '../table/call-row.ts'
import { one, pricePart } from './exact.ts'
import { type FrozenPrice, frozenReceipt } from './frozen-receipt.ts'
import { ratioReceipt, type RowRatios } from './ratio-receipt.ts'
import type { Receipt } from './receipt.ts'

type ChargedRow = Pick<LogRow, 'type' | 'quota' | 'prompt_tokens' | 'completion_tokens'>

/** Recomputes the charge of a row; `undefined` if the row is not a call or does not contain its price. */
export function receiptOf(
  row: ChargedRow,
  record: CallRecord,
  quotaPerUnit: FixedPoint,
): Receipt | undefined {
  if (!isConsumption(row)) return undefined
  const frozen = frozenOf(record)
  if (frozen) return frozenReceipt(frozen.price, frozen.usage, record.receipt?.parts)
  const ratios = ratiosOf(record)
  if (!ratios) return undefined
  const tokens = {
    prompt: row.prompt_tokens,
    completion: row.completion_tokens,
    cacheRead: record.cache_tokens,
    cacheCreation: record.cache_creation_tokens,
    textInput: record.text_input,
    textOutput: record.text_output,
    audioInput: record.audio_input,
    audioOutput: record.audio_output,
  }
  return ratioReceipt(ratios, tokens, quotaPerUnit)
}

/** The frozen price and the usage buckets of a row, if it contains both. */
function frozenOf(record: CallRecord): { readonly price: FrozenPrice; readonly usage: Usage } | undefined {
  const { receipt } = record
  if (!receipt?.usage) return undefined
  const price = receipt.price ?? priceFromRatios(record, receipt.usage)
  return price && { price, usage: receipt.usage }
}

/**
 * Builds a frozen price from the ratio fields; `undefined` if the usage includes a bucket whose ratio is
 * missing.
 */
function priceFromRatios(record: CallRecord, usage: Usage): FrozenPrice | undefined {
  const { receipt } = record
  const groupRatio = pricePart(record.group_ratio)
  const quotaPerUnit = pricePart(receipt?.quota_per_unit)
  if (!quotaPerUnit || !groupRatio || Object.keys(usage.toolCalls ?? {}).length > 0) return undefined
  const rule = ruleFromRatios(record, usage)
  return rule && { version: receipt?.price_version, groupRatio, quotaPerUnit, rule }
}

function ruleFromRatios(record: CallRecord, usage: Usage): PriceRule | undefined {
  const price = pricePart(record.model_price)
  if (price) return { type: 'call', price }
  const modelRatio = pricePart(record.model_ratio)
  const completionRatio = pricePart(record.completion_ratio)
  const cacheRatio = pricePart(record.cache_ratio)
  const cacheWriteRatio = pricePart(record.cache_creation_ratio)
  const cacheWrite1hRatio = pricePart(record.cache_creation_ratio_1h)
  const imageRatio = pricePart(record.image_ratio)
  const audioRatio = pricePart(record.audio_ratio)
  const audioCompletionRatio = pricePart(record.audio_completion_ratio)
  if (!modelRatio || !completionRatio) return undefined
  const isKnown = [
    usage.cacheRead === 0 || cacheRatio,
    usage.cacheWrite5m === 0 || cacheWriteRatio,
    usage.cacheWrite1h === 0 || cacheWrite1hRatio,
    usage.inputImage === 0 || imageRatio,
    usage.inputAudio === 0 || audioRatio,
    usage.outputAudio === 0 || (audioRatio && audioCompletionRatio),
  ].every(Boolean)
  if (!isKnown) return undefined
  return {
    type: 'ratio',
    modelRatio,
    completionRatio,
    cacheRatio: cacheRatio ?? '1',
    cacheWriteRatio: cacheWriteRatio ?? '1',
    cacheWrite1hRatio: cacheWrite1hRatio ?? '1',
    imageRatio: imageRatio ?? '1',
    audioRatio: audioRatio ?? '1',
    audioCompletionRatio: audioCompletionRatio ?? '1',
  }
}

function ratiosOf(record: CallRecord): RowRatios | undefined {
  const groupRatio = effectiveGroupRatio(record)
  const isPriced = record.model_price !== undefined && record.model_price.digits >= 0n
  if (!groupRatio || !(isPriced || record.model_ratio)) return undefined
  return {
    modelPrice: record.model_price,
    modelRatio: record.model_ratio ?? ZERO,
    groupRatio,
    completionRatio: record.completion_ratio ?? one,
    cacheRatio: record.cache_ratio ?? one,
    cacheCreationRatio: record.cache_creation_ratio ?? one,
    audioRatio: record.audio_ratio ?? one,
    audioCompletionRatio: record.audio_completion_ratio ?? one,
    isAnthropic: record.claude,
    isAudio: record.audio || record.ws,
  }
}

/** A user's own ratio, which some gateways have, replaces the group ratio; -1 means that there is none. */
function effectiveGroupRatio({
  user_group_ratio: own,
  group_ratio: group,
}: CallRecord): FixedPoint | undefined {
  return own && own.digits >= 0n ? own : group
}

/** Result of comparing the charged amount with the computed one. Only `differs` is unexplained. */
export type Verdict = 'equal' | 'limited' | 'interrupted' | 'corrected' | 'unproven' | 'differs'

export function verdictOf(receipt: Receipt, chargedUnits: number, record: CallRecord): Verdict {
  const { flags } = record
  const charged = BigInt(chargedUnits)
  if (charged === receipt.units) return 'equal'
  if (flags.includes('late')) return 'corrected'
  if (flags.includes('recovered')) return 'interrupted'
  if (isLimited(record, charged, receipt.units)) return 'limited'
  return receipt.basis === 'ratios' ? 'unproven' : 'differs'
}

/** Whether the charge stopped at its ceiling, the price of the largest permitted call; the rest is waived. */
function isLimited({ flags, receipt }: CallRecord, charged: bigint, computed: bigint): boolean {
  if (charged >= computed) return false
  return (
    flags.includes('waived') || (receipt?.ceiling !== undefined && roundHalfAway(receipt.ceiling) === charged)
  )
}
