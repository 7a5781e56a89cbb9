import type { Registry } from 'prom-client'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import type { RoutingInsight } from '../../ports/channel-insight.ts'
import { SERIES_MAX } from '../../relay/metrics/call-metrics.ts'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import { ReadGauge } from './counted.ts'

export interface ChannelGaugeParts {
  readonly snapshots: Pick<Snapshots, 'roster'>
  readonly routing: Pick<RoutingInsight, 'isResting' | 'keySnapshots'>
}

/** Registers what this process knows of channels. A channel that an operator disabled is left out. */
export function registerChannels(registry: Registry, { snapshots, routing }: ChannelGaugeParts): void {
  const watched = () =>
    snapshots
      .roster()
      .all()
      .filter(({ status }) => status !== CHANNEL_STATUS.disabled)
      .slice(0, SERIES_MAX)
  const gauge = (
    { aggregator, ...words }: { name: string; help: string; aggregator: 'min' | 'max' },
    value: (id: number, isEnabled: boolean) => number,
  ) =>
    new ReadGauge({ ...words, labelNames: ['channel'], registry, aggregator }, () =>
      watched().map(({ id, status }) => ({
        labels: { channel: id },
        value: value(id, status === CHANNEL_STATUS.enabled),
      })),
    )
  gauge(
    {
      name: 'tollgate_channel_up',
      help: '0 while a channel is disabled automatically or all its keys cool down',
      aggregator: 'min',
    },
    (id, isEnabled) => (isEnabled && !routing.isResting(id) ? 1 : 0),
  )
  gauge(
    {
      name: 'tollgate_keys_cooling_down',
      help: 'Keys of a channel that are left out after a failure',
      aggregator: 'max',
    },
    (id) => routing.keySnapshots(id).filter(({ state }) => state !== 'ready').length,
  )
}
