import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OptionValue } from '@tollgate/contract/options/index'
import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { type Job, JobFailure, type JobsLog, type JobWords } from '../job.ts'
import { cronSchedule } from '../schedule.ts'
import { copyName, draftName, isDraft, surplusCopies } from './copies.ts'
import { openS3Store } from '../s3/s3-store.ts'
import { claimTarget } from './claim-target.ts'
import { folderTarget } from './folder-target.ts'
import { s3Target } from './s3-target.ts'
import type { BackupInstallation, BackupTarget } from './target.ts'

type Key =
  | 'BackupTimes'
  | 'BackupKeep'
  | 'BackupFolder'
  | 'BackupS3Address'
  | 'BackupS3Region'
  | 'BackupS3Key'
  | 'BackupS3Secret'

export interface BackupOptions {
  get<Name extends Key>(key: Name): OptionValue<Name>
}

export interface BackupParts {
  /** `undefined`: the database is a server, or in memory. */
  readonly sqlitePath: string | undefined
  readonly options: BackupOptions
  readonly clock: Clock
  readonly egress: Pick<Egress, 'dispatcher'>
  readonly log: JobsLog
  /** Copies the database to this file and audits the copy, without holding up calls. */
  readonly makeCopy: (to: string, signal: AbortSignal) => Promise<CopyReport>
  /** Whose copies these are. */
  readonly installation: BackupInstallation
  /** Notifies the super admin. */
  readonly alarm: (words: JobWords) => Promise<void>
}

export interface CopyReport {
  readonly bytes: number
  readonly accounts: number
  readonly entries: number
  readonly findings: number
}

/** Copies the embedded database at set times, audits the copy, keeps the newest ones and raises an alarm otherwise. */
export function backupJob(parts: BackupParts): Job {
  const { options, log, alarm } = parts
  return {
    name: 'backup',
    schedule: cronSchedule(() => options.get('BackupTimes')),
    runs: 'once',
    run: async (context) => {
      const signal = context?.signal ?? new AbortController().signal
      try {
        return await backUp(parts, signal)
      } catch (error) {
        if (error instanceof JobFailure && !signal.aborted)
          await alarm(error.words).catch((cause: unknown) =>
            log.error({ error: cause }, 'could not notify the super admin of a failed backup'),
          )
        throw error
      }
    },
  }
}

async function backUp(parts: BackupParts, signal: AbortSignal) {
  const { sqlitePath, clock, options, makeCopy, log } = parts
  const targets = targetsOf(parts)
  if (sqlitePath === undefined)
    throw new JobFailure({
      en: 'Only the embedded database is copied here: back up a database server with its own tools.',
      zh: '这里只备份内置数据库：数据库服务器请使用其自带的工具备份。',
    })
  if (targets.length === 0)
    throw new JobFailure({
      en: 'No folder and no S3 address is set: see the system settings.',
      zh: '尚未设置备份文件夹或 S3 地址，请前往系统设置。',
    })
  if (!parts.installation.isConfirmed)
    throw new JobFailure({
      en: 'This database is a copy that nobody has confirmed, so it is not backed up: see the notice in the console, or run tollgate confirm.',
      zh: '该数据库是未经确认的副本，因此不会备份：请查看控制台的提示，或运行 tollgate confirm。',
    })
  for (const target of targets) await target.check()
  for (const target of targets) await claimTarget(target, parts.installation)
  const name = copyName(clock.nowMs())
  const draft = join(dirname(sqlitePath), draftName(name))
  await removeDrafts(dirname(sqlitePath))
  try {
    const { bytes, accounts, entries, findings } = await makeCopy(draft, signal)
    if (findings > 0)
      throw new JobFailure({
        en: `The books in the copy do not balance: ${findings} findings. Nothing was kept or removed; run tollgate audit.`,
        zh: `备份中的账本不平：发现 ${findings} 处差异。未保存也未删除任何备份，请运行 tollgate audit。`,
      })
    let removed = 0
    for (const target of targets) {
      // Another installation may have taken it during the copy.
      await claimTarget(target, parts.installation)
      await target.put(name, draft, signal)
      removed += await prune(target, options.get('BackupKeep'))
    }
    log.info({ name, bytes, accounts, entries, removed }, 'backed up the database')
    return { bytes, accounts, entries, removed }
  } finally {
    await removeDrafts(dirname(sqlitePath))
  }
}

/** Also what a process left that was killed during its backup: each is as large as the database. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (isDraft(name)) await rm(join(folder, name), { force: true })
}

function targetsOf({ options, egress }: BackupParts): readonly BackupTarget[] {
  const folder = options.get('BackupFolder')
  const address = options.get('BackupS3Address')
  const s3 = {
    address,
    region: options.get('BackupS3Region'),
    accessKey: options.get('BackupS3Key'),
    secret: options.get('BackupS3Secret'),
  }
  return [...(folder ? [folderTarget(folder)] : []), ...(address ? [s3Target(openS3Store(s3, egress))] : [])]
}

async function prune(target: BackupTarget, keep: number): Promise<number> {
  const surplus = surplusCopies(await target.list(), keep)
  for (const name of surplus) await target.remove(name)
  return surplus.length
}
