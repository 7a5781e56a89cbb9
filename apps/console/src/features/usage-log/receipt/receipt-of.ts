import { LOG_TYPE, type LogRow } from '@tollgate/contract/log'
import type { CallRecord } from '../record/call-record.ts'
import { type Exact, one, roundHalfAway, zero } from './exact.ts'
import { type BucketCounts, type FrozenPrice, frozenReceipt, type FrozenRule } from './frozen-receipt.ts'
import { ratioReceipt, type RowRatios } from './ratio-receipt.ts'
import type { Receipt } from './receipt.ts'

type ChargedRow = Pick<LogRow, 'type' | 'quota' | 'prompt_tokens' | 'completion_tokens'>

/** Recomputes the charge of a row; `undefined` if the row is not a call or does not contain its price. */
export function receiptOf(row: ChargedRow, record: CallRecord, quotaPerUnit: Exact): Receipt | undefined {
  if (!isConsumption(row)) return undefined
  const frozen = frozenOf(record)
  if (frozen) return frozenReceipt(frozen.price, frozen.counts)
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
function frozenOf(
  record: CallRecord,
): { readonly price: FrozenPrice; readonly counts: BucketCounts } | undefined {
  const { receipt } = record
  if (!receipt?.usage) return undefined
  const price = receipt.price ?? priceFromRatios(record, receipt.usage)
  return price && { price, counts: receipt.usage }
}

/**
 * Builds a frozen price from the ratio fields; `undefined` if the usage includes a bucket whose ratio is
 * missing.
 */
function priceFromRatios(record: CallRecord, counts: BucketCounts): FrozenPrice | undefined {
  const { receipt, group_ratio: groupRatio } = record
  if (!receipt?.quota_per_unit || !groupRatio || counts.toolCalls.size > 0) return undefined
  const rule = ruleFromRatios(record, counts)
  return (
    rule && {
      version: receipt.price_version,
      groupRatio,
      quotaPerUnit: receipt.quota_per_unit,
      rule,
      toolPrices: new Map(),
    }
  )
}

function ruleFromRatios(record: CallRecord, { tokens }: BucketCounts): FrozenRule | undefined {
  const { model_price: price, model_ratio: modelRatio, completion_ratio: completionRatio } = record
  if (price && price.digits >= 0n) return { type: 'call', price }
  if (!modelRatio || !completionRatio) return undefined
  const isKnown = [
    tokens.cacheRead === 0 || record.cache_ratio,
    tokens.cacheWrite5m === 0 || record.cache_creation_ratio,
    tokens.cacheWrite1h === 0 || record.cache_creation_ratio_1h,
    tokens.inputImage === 0 || record.image_ratio,
    tokens.inputAudio === 0 || record.audio_ratio,
    tokens.outputAudio === 0 || (record.audio_ratio && record.audio_completion_ratio),
  ].every(Boolean)
  if (!isKnown) return undefined
  return {
    type: 'ratio',
    modelRatio,
    completionRatio,
    cacheRatio: record.cache_ratio ?? one,
    cacheWriteRatio: record.cache_creation_ratio ?? one,
    cacheWrite1hRatio: record.cache_creation_ratio_1h ?? one,
    imageRatio: record.image_ratio ?? one,
    audioRatio: record.audio_ratio ?? one,
    audioCompletionRatio: record.audio_completion_ratio ?? one,
  }
}

/** Old versions of new-api wrote consumption with type 0 too. */
export function isConsumption(row: Pick<LogRow, 'type'>): boolean {
  return row.type === LOG_TYPE.consumption || row.type === 0
}

function ratiosOf(record: CallRecord): RowRatios | undefined {
  const groupRatio = effectiveGroupRatio(record)
  const isPriced = record.model_price !== undefined && record.model_price.digits >= 0n
  if (!groupRatio || !(isPriced || record.model_ratio)) return undefined
  return {
    modelPrice: record.model_price,
    modelRatio: record.model_ratio ?? zero,
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
function effectiveGroupRatio({ user_group_ratio: own, group_ratio: group }: CallRecord): Exact | undefined {
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
