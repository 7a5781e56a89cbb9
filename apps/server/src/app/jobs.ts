import { EVERYTHING, FROM_TIME_TO_TIME } from '@tollgate/coordination/notices'
import { providers } from '@tollgate/providers/index'
import { auditJob } from '../jobs/audit.ts'
import { closeOrdersJob } from '../jobs/close-orders.ts'
import { keepLogsJob } from '../jobs/keep-logs.ts'
import { moveLogsJob } from '../jobs/move-logs.ts'
import type { Job } from '../jobs/job.ts'
import { pollTasksJob } from '../jobs/poll-tasks.ts'
import { pruneJob } from '../jobs/prune.ts'
import { rollUpUsageJob } from '../jobs/roll-up-usage.ts'
import { certificateCheck } from '../services/alert/certificate.ts'
import { alertWatch } from '../services/alert/watch.ts'
import type { ProbePort } from '../ports/channel-probe.ts'
import { scheduledBackup } from './backup-job.ts'
import { logSinkJobs } from './log-sink-jobs.ts'
import type { PlaneParts } from './base.ts'
import { channelJobs } from './channel-jobs.ts'

export function allJobs(parts: PlaneParts, probe: ProbePort): readonly Job[] {
  return [
    ...maintenanceJobs(parts),
    scheduledBackup(parts),
    ...logSinkJobs(parts),
    ...taskJobs(parts),
    ...parts.outbound.jobs,
    ...jobsOfChannels(parts, probe),
    alertJob(parts),
  ]
}

function maintenanceJobs({
  ledger,
  log,
  store,
  logs,
  clock,
  notices,
  config,
  settings,
}: PlaneParts): readonly Job[] {
  const kept = logs ?? store.db
  return [
    auditJob({ ledger, log }),
    pruneJob({ db: store.db, clock }),
    rollUpUsageJob({ logs: kept, clock }),
    keepLogsJob({ store: store.db, logs: kept, clock, options: settings, log }),
    closeOrdersJob({ db: store.db, clock }),
    ...(logs ? [moveLogsJob({ from: store.db, to: logs })] : []),
    // Reloads everything at an interval, in case a notice was lost. Without Redis this replaces notices.
    {
      name: 'read-again',
      everyMs: config.syncMs,
      runs: 'everywhere',
      run: () => notices.tell({ entity: EVERYTHING, id: FROM_TIME_TO_TIME }),
    },
  ]
}

const ALERTS_EVERY_MS = 30_000

function alertJob(parts: PlaneParts): Job {
  const { store, clock, settings: options, ledger, snapshots, desk, log, egress } = parts
  const { outbox } = parts.outbound.services
  const run = alertWatch({
    store: store.db,
    clock,
    options,
    ledger,
    snapshots,
    isResting: (id) => desk.routing.isResting(id),
    isCopy: () => !parts.installation.isConfirmed,
    certificateProblem: certificateCheck({ options, egress, clock }),
    outbox,
    log,
  })
  return { name: 'watch-alerts', everyMs: ALERTS_EVERY_MS, runs: 'once', run }
}

function taskJobs({ config, ...parts }: PlaneParts): readonly Job[] {
  return config.areTasksPolled ? [pollTasksJob({ ...parts, ...parts.tasks })] : []
}

function jobsOfChannels(parts: PlaneParts, probe: ProbePort): readonly Job[] {
  const { store, desk, settings: options } = parts
  return channelJobs({
    ...parts,
    ...desk,
    store: store.db,
    options,
    providers,
    probe,
  })
}
