import type { Job, jobRoutes } from '@tollgate/contract/job'
import { JOB_SILENT_MS, listJobRuns } from '@tollgate/store/operations/job-runs'
import type { JobRunTable } from '@tollgate/store/tables/operations'
import type { ListedJob } from '../../jobs/job-run-log.ts'
import type { Handler } from '../handler.ts'
import type { JobServices } from './services.ts'

export function listJobs({ store, clock, jobNotes }: JobServices): Handler<typeof jobRoutes.list> {
  return async () => {
    const runs = new Map((await listJobRuns(store)).map((run) => [run.name, run]))
    const nowMs = clock.nowMs()
    return jobNotes.jobs.map((job) => wireJob(job, runs.get(job.name), nowMs))
  }
}

function wireJob(job: ListedJob, run: JobRunTable | undefined, nowMs: number): Job {
  const { name, runs, everyMs = 0 } = job
  const { started_ms: startedMs = 0, ended_ms: endedMs = 0 } = run ?? {}
  const state = stateOf(run, nowMs)
  return {
    name,
    title: titleOf(name),
    every_seconds: everyMs / 1000,
    times: job.times,
    runs,
    state,
    started_time: Math.floor(startedMs / 1000),
    ended_time: Math.floor(endedMs / 1000),
    duration_ms: Math.max(0, (state === 'running' ? nowMs : endedMs) - startedMs),
    next_time: Math.floor(Math.max(run?.next_ms ?? 0, job.nextMs) / 1000),
    outcome: run?.outcome ?? '',
    reason: run?.outcome === 'failed' && run.reason ? JSON.parse(run.reason) : null,
    figures: figuresOf(run?.figures ?? ''),
    done: run?.done ?? 0,
    total: run?.total ?? 0,
  }
}

/** A run without a recent heartbeat counts as idle: its process has died and will never report its end. */
function stateOf(run: JobRunTable | undefined, nowMs: number): Job['state'] {
  if (run === undefined || run.beat_ms <= nowMs - JOB_SILENT_MS) return 'idle'
  return run.state
}

function figuresOf(text: string): Record<string, number> {
  return text === '' ? {} : JSON.parse(text)
}

interface Title {
  readonly en: string
  readonly zh: string
}

const titles: Readonly<Record<string, Title>> = {
  'note-charges': { en: 'List unusual charges', zh: '记录异常的扣费' },
  'note-members': { en: 'List unknown members of requests', zh: '记录未知的请求参数' },
  'note-models': { en: 'Count calls by model', zh: '按模型统计调用' },
  'watch-alerts': { en: 'Watch for alerts', zh: '检查告警' },
  'note-node': { en: 'Report what this process does', zh: '上报进程状况' },
  audit: { en: 'Audit of the books', zh: '账本核对' },
  backup: { en: 'Back up the database', zh: '备份数据库' },
  'log-webhook': { en: 'Send the usage log to the webhook', zh: '向 Webhook 发送使用日志' },
  'log-s3': { en: 'Send the usage log to the bucket', zh: '向 S3 存储桶发送使用日志' },
  'log-nats': { en: 'Send the usage log to NATS', zh: '向 NATS 发送使用日志' },
  'log-langfuse': { en: 'Send the usage log to Langfuse', zh: '向 Langfuse 发送使用日志' },
  'close-orders': { en: 'Close orders nobody paid', zh: '关闭未支付的订单' },
  'poll-tasks': { en: 'Look after drawings and songs', zh: '查询绘图与音乐任务' },
  'prune-sign-ins': { en: 'Clear ended sign-ins', zh: '清理过期登录' },
  'move-logs': { en: 'Move the usage log to its database', zh: '转移使用日志' },
  'renew-keys': { en: 'Renew keys that end', zh: '刷新即将到期的密钥' },
  'roll-up-usage': { en: 'Sum usage by the hour', zh: '按小时汇总用量' },
  'keep-logs': { en: 'Remove old rows of the usage log', zh: '清理旧的使用日志' },
  'read-again': { en: 'Read snapshots again', zh: '重新读取快照' },
  'prune-correspondence': { en: 'Clear sent messages', zh: '清理已发送的消息' },
  'watch-balances': { en: 'Watch for low balances', zh: '余额不足检查' },
  'test-channels': { en: 'Test all channels', zh: '测试所有渠道' },
  'update-balances': { en: 'Update channel balances', zh: '更新渠道余额' },
  'note-traffic': { en: 'Note channel traffic', zh: '记录渠道流量' },
  'prune-traffic': { en: 'Clear old channel traffic', zh: '清理旧的渠道流量' },
}

/** A job's title in the console; a job without a title shows its name. */
function titleOf(name: string): Title {
  return titles[name] ?? { en: name, zh: name }
}
