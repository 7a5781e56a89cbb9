import { channelsOf } from '../../../snapshots/roster.ts'
import { affinityResult } from '../../affinity/result.ts'
import type { EndedCall } from '../../metrics/call-metrics.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { computeCost } from '../../prices/price-usage.ts'
import type { Assessment } from './assess.ts'

interface Ended {
  readonly exit: Outcome
  readonly assessment: Assessment
  readonly now: number
}

/** How a settled call ended, for the metrics. */
export function endOf(held: Held, { exit, assessment, now }: Ended): EndedCall {
  const { call, ask, candidates } = held
  const common = { call, isStream: ask.isStream, affinity: affinityResult(held), now }
  if (exit.type === 'failed') {
    const last = call.trail.at(-1)?.channelId
    const channel = channelsOf(candidates).find(({ id }) => id === last)
    const { blame, status } = exit.failure
    const isCallersFault = blame === 'caller' || (blame === 'upstream' && status === 400) || call.isGone
    return { ...common, channel, outcome: 'failed', isCallersFault }
  }
  const { channel, ending: outcome } = exit
  if (assessment.type === 'release') return { ...common, channel, outcome }
  const { usage, units } = assessment
  return { ...common, channel, outcome, usage, units, cost: computeCost(held, assessment, exit) }
}
