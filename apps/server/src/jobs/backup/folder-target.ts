import { constants } from 'node:fs'
import { access, copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../job.ts'
import type { BackupTarget } from './target.ts'

/** A folder that exists, on this machine or mounted. */
export function folderTarget(folder: string): BackupTarget {
  return {
    check: () =>
      explained(folder, async () => {
        if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
        await access(folder, constants.W_OK)
      }),
    put: (name, path) =>
      explained(folder, async () => {
        const draft = join(folder, `${name}.part`)
        try {
          await copyFile(path, draft)
          const file = await open(draft, 'r+')
          try {
            await file.sync()
          } finally {
            await file.close()
          }
          await rename(draft, join(folder, name))
        } finally {
          await rm(draft, { force: true })
        }
      }),
    list: () => explained(folder, () => readdir(folder)),
    remove: (name) => explained(folder, () => rm(join(folder, name), { force: true })),
  }
}

async function explained<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new JobFailure(
      {
        en: `The backup folder ${folder} cannot be used (${code}): it must exist and be writable.`,
        zh: `备份文件夹 ${folder} 无法使用（${code}）：文件夹必须存在且可写入。`,
      },
      { cause },
    )
  }
}
