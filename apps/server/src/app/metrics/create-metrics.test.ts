import { ManualClock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import { openStore } from '@tollgate/store/database/open-store'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { channelWith, heldWith } from '../../../test/relay/parts.ts'
import { CallMetrics } from '../../relay/metrics/call-metrics.ts'
import { createMetrics } from './create-metrics.ts'

async function registryOf(metrics: CallMetrics): Promise<Registry> {
  const store = await openStore({ sqlitePath: ':memory:' })
  const registry = await createMetrics({
    ledger: {
      health: () => ({ ...noHealth }),
      gauges: async () => ({ openHolds: 0, oldestHoldMs: 0, debtTotal: 0n, interrupted: 0 }),
    },
    relay: { inFlight: 0, bodyBytes: 0, sockets: 0, rememberedBytes: 0, readsInThreads: 0 },
    coordination: { health: () => ({ isShared: true, losses: 0 }) },
    leadership: { isOurs: true },
    db: store.db,
    clock: new ManualClock(),
    dataFolder: '.',
    readiness: async () => ({ status: 'ready' }),
    metrics,
    snapshots: {
      roster: () => ({
        all: () => [],
        candidates: noRoster,
        channel: noRoster,
        isListed: noRoster,
        models: noRoster,
      }),
    },
    routing: { isResting: () => false, keySnapshots: () => [] },
  })()
  await store.close()
  return registry
}

test('docs/reference/metrics.md lists the metrics', async () => {
  const registry = await registryOf(new CallMetrics())
  const rows = registry.getMetricsAsArray().flatMap((metric) => {
    const { name, help, type } = metric
    const labels = 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []
    if (!/^(tollgate|gen_ai)_/.test(name)) return []
    const shown = labels.map((label) => `\`${String(label)}\``).join(', ')
    return `| \`${name}\` | ${String(type)} | ${shown} | ${help} |`
  })
  const page = [
    '# Metrics',
    '',
    'What `/metrics` has besides the metrics of Node. [The guide](../guides/operate.md) says how to scrape it. The labels',
    'of calls are chosen with `METRICS_LABELS`; this page shows the default.',
    '',
    '| name | type | labels | meaning |',
    '|---|---|---|---|',
    ...rows.toSorted(),
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot('../../../../../docs/reference/metrics.md')
})

test('the counts of several processes are added up', async () => {
  const figures = [2, 3].map(async (calls) => {
    const metrics = new CallMetrics(['model'])
    for (let made = 0; made < calls; made++) {
      const held = heldWith()
      const { call } = held
      metrics.ended(held, {
        call,
        channel: channelWith(),
        outcome: 'complete',
        units: 10n,
        isStream: false,
        now: call.startedAt + 1000,
      })
    }
    return (await registryOf(metrics)).getMetricsAsJSON()
  })
  const text = await AggregatorRegistry.aggregate(await Promise.all(figures)).metrics()
  expect(text).toContain('tollgate_requests_total{model="gpt-4o",outcome="complete"} 5\n')
  expect(text).toContain('tollgate_quota_charged_total{model="gpt-4o",outcome="complete"} 50\n')
  const ofModel = 'gen_ai_operation_name="chat",gen_ai_provider_name="custom",gen_ai_request_model="gpt-4o"'
  expect(text).toContain(`gen_ai_server_request_duration_seconds_bucket{${ofModel},le="1.28"} 5\n`)
  expect(text).toContain(`gen_ai_server_request_duration_seconds_count{${ofModel}} 5\n`)
  expect(text).toContain('tollgate_ledger_writable 1\n')
})

const noHealth = {
  isWritable: true,
  queued: 0,
  openHolds: 0,
  batches: 0,
  lastBatchSize: 0,
  lastCommitMs: 0,
  recovered: 0,
  corrections: 0,
  refused: 0,
}

function noRoster(): never {
  invariant(false, 'metrics only list channels')
}
