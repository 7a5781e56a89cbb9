import type { Price } from '@tollgate/billing/price'
import { impliedToolCalls } from '@tollgate/billing/tool-prices'
import { countFees } from '@tollgate/catalogue/fees/count-fees'
import { listFeeRows } from '@tollgate/catalogue/fees/fee-rows'
import type { Reading } from '@tollgate/dialects/dialect'
import type { Usage } from '@tollgate/dialects/usage'
import type { Delivered } from '../outcome.ts'
import { routeKey, type CallFees } from './call-fees.ts'

type Counts = NonNullable<Usage['toolCalls']>

/** A call whose fees are settled. */
export interface FeeSettlement {
  readonly price: Price
  readonly fees?: CallFees | undefined
  readonly candidates: { readonly model: string }
  /** Uses that are certain before the answer is known. */
  readonly toolCalls?: Counts | undefined
}

/** The usage with the units of each fee that the answer caused, by the rows of the vendor that served it. */
export function settleFees(call: FeeSettlement, usage: Usage, exit: Delivered): Usage {
  const { fees } = call
  if (fees === undefined) return withUses(usage, call.toolCalls)
  const { toolCalls: _evidence, ...tokens } = usage
  const provider = exit.channel.provider.id
  const rows = listFeeRows(provider)
  const evidence = joinEvidence(exit.reading)
  const counts = countFees(rows, fees.requested.get(routeKey(provider, exit.upstreamModel)) ?? [], {
    usage: exit.reading.usage?.raw,
    evidence,
    model: exit.upstreamModel,
    isPromptStored: fees.isPromptStored,
  })
  const all = { ...listFormerCounts(call.price, provider, evidence), ...counts }
  // What is reported takes precedence over what the model implies.
  if (Object.keys(all).length === 0) return withUses(tokens, impliedToolCalls(call.candidates.model))
  return { ...tokens, toolCalls: all }
}

/** The names of fees that were caused and have no known price. They are charged nothing. */
export function listUnpricedFees(
  { price }: Pick<FeeSettlement, 'price'>,
  { toolCalls = {} }: Usage,
): readonly string[] {
  const prices = price.toolPrices ?? {}
  return Object.keys(toolCalls).filter((name) => !Object.hasOwn(prices, name))
}

function withUses(usage: Usage, toolCalls: Counts | undefined): Usage {
  return toolCalls === undefined || usage.toolCalls !== undefined ? usage : { ...usage, toolCalls }
}

/** The same use may be seen in the usage and beside it. */
function joinEvidence({ usage, paidUses = {} }: Reading): Counts {
  const joined: Record<string, number> = { ...usage?.toolCalls }
  for (const [name, count] of Object.entries(paidUses)) joined[name] = Math.max(joined[name] ?? 0, count)
  return joined
}

/**
 * Where a fee is only counted, its uses are charged as the version before charged them, under the name that they
 * had then.
 */
function listFormerCounts({ countedFees }: Price, provider: string, evidence: Counts): Counts {
  if (countedFees === undefined) return {}
  const names = listFeeRows(provider).flatMap(({ name, formerName }) =>
    formerName !== undefined && formerName !== name && countedFees.includes(name) ? [formerName] : [],
  )
  return Object.fromEntries(
    names.flatMap((name): [string, number][] => {
      const count = (evidence[name] ?? 0) * (evidence[`${name}_memory`] ?? 1)
      return count > 0 ? [[name, count]] : []
    }),
  )
}
