import { type Exact, multiply, one } from './exact.ts'
import { type LineInput, linesOf, type Receipt, totalled } from './receipt.ts'

/** The ratio fields that new-api and its forks write into every consumption row. */
export interface RowRatios {
  /** Currency per call; negative or missing if the call was billed by tokens. */
  readonly modelPrice: Exact | undefined
  readonly modelRatio: Exact
  readonly groupRatio: Exact
  readonly completionRatio: Exact
  readonly cacheRatio: Exact
  readonly cacheCreationRatio: Exact
  readonly audioRatio: Exact
  readonly audioCompletionRatio: Exact
  /** The Anthropic format: cached tokens are not included in the input, and the charge was rounded down. */
  readonly isAnthropic: boolean
  readonly isAudio: boolean
}

export interface RowTokens {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheCreation: number
  readonly textInput: number
  readonly textOutput: number
  readonly audioInput: number
  readonly audioOutput: number
}

/**
 * Computes the receipt of a row without a frozen price, by the formula of new-api: one token at ratio 1 costs
 * one unit of quota.
 */
export function ratioReceipt(ratios: RowRatios, tokens: RowTokens, quotaPerUnit: Exact): Receipt {
  const used = tokens.prompt + tokens.completion > 0
  const price = callPrice(ratios)
  const base = price ?? ratios.modelRatio
  return totalled({
    basis: 'ratios',
    lines: linesOf(price ? [callLine(price, quotaPerUnit, used)] : tokenLines(ratios, tokens)),
    groupRatio: ratios.groupRatio,
    quotaPerUnit,
    isFree: multiply(base, ratios.groupRatio).digits === 0n,
    isUsed: used,
    rounds: ratios.isAnthropic || (ratios.isAudio && price) ? 'down' : 'nearest',
  })
}

function callPrice({ modelPrice }: RowRatios): Exact | undefined {
  return modelPrice && modelPrice.digits >= 0n ? modelPrice : undefined
}

function callLine(price: Exact, quotaPerUnit: Exact, used: boolean): LineInput {
  return { name: 'call', count: used ? 1 : 0, unitPrice: multiply(price, quotaPerUnit), per: 'one' }
}

function tokenLines(ratios: RowRatios, tokens: RowTokens): LineInput[] {
  const line = (name: LineInput['name'], count: number, ratio: Exact): LineInput => ({
    name,
    count,
    unitPrice: multiply(ratios.modelRatio, ratio),
    per: 'million',
  })
  if (ratios.isAudio) {
    return [
      line('inputText', tokens.textInput, one),
      line('inputAudio', tokens.audioInput, ratios.audioRatio),
      line('outputText', tokens.textOutput, ratios.completionRatio),
      line('outputAudio', tokens.audioOutput, multiply(ratios.audioRatio, ratios.audioCompletionRatio)),
    ]
  }
  const plainInput = ratios.isAnthropic ? tokens.prompt : tokens.prompt - tokens.cacheRead
  return [
    line('inputText', plainInput, one),
    line('cacheRead', tokens.cacheRead, ratios.cacheRatio),
    line('cacheWrite5m', tokens.cacheCreation, ratios.cacheCreationRatio),
    line('outputText', tokens.completion, ratios.completionRatio),
  ]
}
