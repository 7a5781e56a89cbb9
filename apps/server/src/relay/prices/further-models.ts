import type { FeeSet } from '@tollgate/billing/fee-prices'
import type { AlternativeModel, HelperUse, HoldInput } from '@tollgate/billing/hold'
import { modelLimits } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { CALL_PRICES_MAX } from '@tollgate/billing/priced-parts'
import { recordAt, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { toolsOf } from '@tollgate/dialects/requested-tools'
import { channelsOf } from '../../snapshots/roster.ts'
import type { Candidates, OwnerEntry, PriceBook } from '../../snapshots/snapshots.ts'
import { upstreamModel } from '../upstream-model.ts'
import { isSameModel } from './same-model.ts'

/** A further model that the caller named, with its price for the call. */
export interface NamedPrice {
  /** As the caller wrote it. */
  readonly model: string
  /** The same, and the names by which channels send it. */
  readonly names: readonly string[]
  readonly price: Price
}

/** A call whose members may name further models. */
export interface NamingCall {
  readonly namedModels: readonly string[]
  readonly prices: PriceBook
  readonly group: string
  readonly caller: { readonly owner: Pick<OwnerEntry, 'acceptsUnpricedModels' | 'group'> }
  readonly candidates: Candidates
  /** The fees that the call may cause, whichever of its models serves it. */
  readonly fees?: FeeSet | undefined
}

const NONE: readonly NamedPrice[] = []

/** The prices of the further models that a call names. A model without a price is charged as the requested one. */
export function findNamedPrices({
  namedModels,
  prices,
  group,
  caller,
  candidates,
  fees,
}: NamingCall): readonly NamedPrice[] {
  if (namedModels.length === 0) return NONE
  const { acceptsUnpricedModels: acceptsUnpriced, group: ownGroup } = caller.owner
  return namedModels.slice(0, CALL_PRICES_MAX - 1).flatMap((model) => {
    const price = prices.find({
      model,
      group,
      acceptsUnpriced,
      ownGroup,
      ...(fees !== undefined && { fees }),
    })
    return price === undefined ? [] : [{ model, names: listModelNames(candidates, model), price }]
  })
}

/** The price of a further model by which the upstream served a call. */
export function findNamedPrice(
  namedPrices: readonly NamedPrice[] | undefined,
  served: string,
): NamedPrice | undefined {
  return namedPrices?.find(({ names }) => names.some((name) => isSameModel(served, name)))
}

type FurtherModels = Pick<HoldInput, 'alternatives' | 'helpers'>

/** What further models and steps may add to the most that a call costs. */
export function findFurtherModels(
  body: JsonObject,
  input: HoldInput,
  named: readonly NamedPrice[],
): FurtherModels {
  const compactions = countCompactions(body)
  if (named.length === 0 && compactions === 0) return {}
  const advisors = readAdvisorUses(body)
  const alternatives = named
    .filter(({ model }) => findUses(advisors, model) === undefined)
    .map(({ price }) => buildAlternative(input, price))
  const helpers = named.flatMap(({ model, price }) => {
    const usesMax = findUses(advisors, model)
    return usesMax === undefined ? [] : [buildHelper(price, { usesMax, isLikely: true })]
  })
  // The model that answers writes the summary too.
  const mains = [input.price, ...alternatives.map(({ price }) => price)]
  const summaries =
    compactions === 0 ? [] : [buildHelper(pickDearest(mains), { usesMax: compactions, isLikely: false })]
  return {
    ...(alternatives.length > 0 && { alternatives }),
    ...(helpers.length + summaries.length > 0 && { helpers: [...helpers, ...summaries] }),
  }
}

function buildAlternative({ inputTokensMax, reasoningTokensMax }: HoldInput, price: Price): AlternativeModel {
  const limits = modelLimits(price.model)
  return {
    price,
    modelOutputTokensMax: limits.outputTokensMax,
    ...(inputTokensMax !== undefined && { inputTokensMax: limits.contextTokens }),
    reasoningTokensMax: Math.max(reasoningTokensMax ?? 0, limits.reasoningTokensMax ?? 0),
  }
}

function buildHelper(price: Price, uses: Pick<HelperUse, 'usesMax' | 'isLikely'>): HelperUse {
  const { contextTokens, outputTokensMax } = modelLimits(price.model)
  return { price, contextTokens, outputTokensMax: Math.min(outputTokensMax, HELP_TOKENS_MAX), ...uses }
}

/** Advice and summaries are short; no vendor documents more. */
const HELP_TOKENS_MAX = 32_000

/** By the price of output, which is most of what a summary costs beyond its input. */
function pickDearest(prices: readonly Price[]): Price {
  return prices.reduce((dearest, price) => (outputRatio(price) > outputRatio(dearest) ? price : dearest))
}

function outputRatio({ rule }: Price): number {
  return rule.type === 'call' ? 0 : Number(rule.modelRatio) * Math.max(1, Number(rule.completionRatio))
}

const USES_MAX = 10
const USES_ASKED_MAX = 100

/**
 * How often the advisors of a request may be asked, by the model of each. A tool may limit its uses.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
 */
function readAdvisorUses(body: JsonObject): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const tool of toolsOf(body)) {
    const model = textAt(tool, 'model')
    if (model === undefined) continue
    const { max_uses: limit } = tool
    const isLimit = typeof limit === 'number' && Number.isInteger(limit) && limit > 0
    uses.set(model, (uses.get(model) ?? 0) + (isLimit ? Math.min(limit, USES_ASKED_MAX) : USES_MAX))
  }
  return uses
}

/** A tool may name the model with the prefix of a channel. */
function findUses(advisors: ReadonlyMap<string, number>, model: string): number | undefined {
  return [...advisors].find(([name]) => isSameModel(name, model))?.[1]
}

/** Tools that the vendor runs can fill the context again after it was summarised. */
const COMPACTIONS_WITH_TOOLS = 4

/**
 * How often the vendor may summarise the conversation within the call.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-compaction
 */
function countCompactions(body: JsonObject): number {
  const edits = recordsAt(recordAt(body, 'context_management') ?? {}, 'edits')
  const isAsked = edits.some((edit) => textAt(edit, 'type')?.startsWith('compact') === true)
  if (!isAsked && recordAt(body, 'compaction') === undefined) return 0
  return toolsOf(body).some((tool) => textAt(tool, 'type') !== undefined) ? COMPACTIONS_WITH_TOOLS : 1
}

/** The name of a further model as the caller wrote it, and the names by which channels send it. */
function listModelNames(candidates: Candidates, model: string): readonly string[] {
  const names = { asked: model, offered: model }
  const mapped = channelsOf(candidates).map((channel) => upstreamModel(channel, names) ?? model)
  return [...new Set([model, ...mapped])]
}
