import { costRatio, type CostRatios } from '@tollgate/billing/cost'
import { isRecord } from '@tollgate/kit/json'
import type { StoredChannelSettings } from '@tollgate/providers/channel-settings'

type Stored = Pick<StoredChannelSettings, 'cost_ratio' | 'cost_ratios'>

/** Reads the cost ratios in a channel's stored settings; `undefined` when there are none. */
export function costRatios(stored: Stored): CostRatios | undefined {
  const others = costRatio(stored.cost_ratio)
  const byModel = new Map(
    models(stored).flatMap(([model, value]) => {
      const ratio = costRatio(value)
      return ratio === undefined ? [] : [[model, ratio] as const]
    }),
  )
  return others === undefined && byModel.size === 0 ? undefined : { byModel, others }
}

/** The first cost member of stored settings that is not a valid ratio. */
export function wrongCostRatio(stored: Stored): string | undefined {
  const { cost_ratio: others, cost_ratios: byModel } = stored
  if (others !== undefined && costRatio(others) === undefined) return 'cost_ratio'
  if (byModel === undefined) return undefined
  if (!isRecord(byModel)) return 'cost_ratios'
  return models(stored).find(([, value]) => costRatio(value) === undefined)?.[0]
}

function models({ cost_ratios: byModel }: Stored): readonly (readonly [string, unknown])[] {
  return isRecord(byModel) ? Object.entries(byModel) : []
}
