import { costRatio, type CostRatios } from '@tollgate/billing/cost'

type Setting = Readonly<Record<string, unknown>>

/** Reads `cost_ratio` and `cost_ratios` from a channel's setting; `undefined` when it has neither. */
export function costRatios(setting: Setting): CostRatios | undefined {
  const others = costRatio(setting['cost_ratio'])
  const byModel = new Map(
    models(setting).flatMap(([model, value]) => {
      const ratio = costRatio(value)
      return ratio === undefined ? [] : [[model, ratio] as const]
    }),
  )
  return others === undefined && byModel.size === 0 ? undefined : { byModel, others }
}

/** The first cost member of a setting that is not a valid ratio. */
export function wrongCostRatio(setting: Setting): string | undefined {
  const { cost_ratio: others, cost_ratios: byModel } = setting
  if (others !== undefined && costRatio(others) === undefined) return 'cost_ratio'
  if (byModel === undefined) return undefined
  if (typeof byModel !== 'object' || byModel === null || Array.isArray(byModel)) return 'cost_ratios'
  return models(setting).find(([, value]) => costRatio(value) === undefined)?.[0]
}

function models({ cost_ratios: byModel }: Setting): readonly (readonly [string, unknown])[] {
  return typeof byModel === 'object' && byModel !== null ? Object.entries(byModel) : []
}
