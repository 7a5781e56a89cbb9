import { countWaitingWork } from '@tollgate/store/operations/outbox'
import { listJobRuns } from '@tollgate/store/operations/job-runs'
import type { Db } from '@tollgate/store/tables/schema'
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import { AUDIT_JOB, findingsOf } from '../../jobs/audit.ts'
import type { CallMetrics } from '../../relay/metrics/call-metrics.ts'
import { type ChannelGaugeParts, registerChannels } from './channel-gauges.ts'
import { type LedgerGaugeParts, registerLedger } from './ledger-gauges.ts'
import { registerTraffic } from './traffic-series.ts'

export interface MetricsParts extends LedgerGaugeParts, ChannelGaugeParts {
  readonly metrics: CallMetrics
}

/** Gauges of Node with the suffix of a counter; Prometheus complains about them. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Metrics of the process, the ledger, the channels and the calls. */
export function createMetrics(parts: MetricsParts): () => Promise<Registry> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  registerTraffic(registry, parts.metrics)
  registerChannels(registry, parts)
  const read = [registerLedger(registry, parts), registerWork(registry, parts.db)]
  return async () => {
    await Promise.all(read.map((each) => each()))
    return registry
  }
}

/** Registers what the database knows of work; every process sees the same. */
function registerWork(registry: Registry, db: Db): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `tollgate_${name}`, help, registers: [registry], aggregator: 'max' })
  const outbox = gauge('outbox_waiting', 'Emails, webhooks, credits and other work waiting in the outbox')
  const findings = gauge('audit_findings', 'Differences that the last audit of the ledger found')
  return async () => {
    const [waiting, runs] = await Promise.all([
      countWaitingWork(db).catch(() => NaN),
      listJobRuns(db).catch(() => undefined),
    ])
    outbox.set(waiting)
    findings.set(runs === undefined ? NaN : findingsOf(runs.find(({ name }) => name === AUDIT_JOB)?.figures))
  }
}
