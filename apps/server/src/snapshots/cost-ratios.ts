import { costRatio, type CostRatios } from '@tollgate/billing/cost'

type Setting = Readonly<Record<string, unknown>>

/** `cost_ratio` and `cost_ratios` of a channel's setting; `undefined` when it says nothing of costs. */
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

/** The first member of a setting that should be a ratio and is none. */
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
