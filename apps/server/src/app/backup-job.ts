import { isServerDsn } from '@tollgate/store/server/dsn'
import { z } from 'zod'
import { childEnvironment } from '../config/index.ts'
import { type CopyReport, backupJob } from '../jobs/backup/backup-job.ts'
import { type Job, JobFailure, type JobWords } from '../jobs/job.ts'
import { runOwnProgram } from '../process/own-program.ts'
import { notifyRoot } from '../services/notify/notify-root.ts'
import type { PlaneParts } from './base.ts'

const reportSchema = z.object({
  bytes: z.number(),
  accounts: z.number(),
  entries: z.number(),
  findings: z.array(z.unknown()),
})

/** The scheduled backup makes its copies with `tollgate backup`, in a process of its own. */
export function scheduledBackup(parts: PlaneParts): Job {
  const { config, settings, clock, egress, log, desk } = parts
  const hasFile = !isServerDsn(config.sqlDsn) && config.sqlitePath !== ':memory:'
  return backupJob({
    sqlitePath: hasFile ? config.sqlitePath : undefined,
    options: settings,
    clock,
    egress,
    log,
    installation: parts.installation,
    makeCopy: (to, signal) => copyTo(to, { sqlitePath: config.sqlitePath, signal }),
    alarm: (words) =>
      notifyRoot(desk.desk, { type: 'backup_failed', message: (language) => notice(words, language) }),
  })
}

async function copyTo(
  to: string,
  { sqlitePath, signal }: { readonly sqlitePath: string; readonly signal: AbortSignal },
): Promise<CopyReport> {
  const env = childEnvironment({ SQLITE_PATH: sqlitePath, SQL_DSN: '' })
  const { output, errors } = await runOwnProgram(['backup', '--to', to, '--json'], { env, signal })
  const report = reportSchema.safeParse(parsed(output))
  if (report.success) return { ...report.data, findings: report.data.findings.length }
  const [reason = ''] = errors.trim().split('\n')
  throw new JobFailure({ en: `The copy failed. ${reason}`, zh: `备份失败：${reason}` })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function notice(words: JobWords, language: keyof JobWords) {
  return {
    type: 'backup_failed',
    title: { en: 'A backup failed', zh: '自动备份失败' }[language],
    content: '{{value}}',
    values: [words[language]],
    link: '',
  }
}
