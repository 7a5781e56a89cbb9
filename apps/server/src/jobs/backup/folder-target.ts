import { constants } from 'node:fs'
import {
  access,
  copyFile,
  link,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { randomToken } from '@tollgate/kit/ids'
import { JobFailure } from '../job.ts'
import { OWNER_FILE, readOwnerText, writeOwnerText } from './claim-target.ts'
import type { BackupTarget } from './target.ts'

/** A folder that exists, on this machine or mounted. */
export function folderTarget(folder: string): BackupTarget {
  const ownerPath = join(folder, OWNER_FILE)
  return {
    name: folder,
    readOwner: () =>
      explained(folder, async () => {
        const text = await readIfThere(ownerPath)
        return text === undefined ? undefined : { owner: readOwnerText(text), version: text }
      }),
    writeOwner: (owner, expected) => explained(folder, () => swapOwner(ownerPath, { owner, expected })),
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

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * A file system compares and sets by names: whoever moves the old file away was the only one, and a link never replaces a file
 * that is there.
 */
async function swapOwner(
  path: string,
  { owner, expected }: { readonly owner: string; readonly expected: string | undefined },
): Promise<boolean> {
  const draft = `${path}.${randomToken(6)}`
  try {
    if (expected !== undefined) {
      await rename(path, `${draft}.old`)
      if ((await readFile(`${draft}.old`, 'utf8')) !== expected) {
        await link(`${draft}.old`, path)
        return false
      }
    }
    await writeFile(draft, writeOwnerText(owner), { flag: 'wx' })
    await link(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EEXIST' || error.code === 'ENOENT'))
      return false
    throw error
  } finally {
    await rm(draft, { force: true })
    await rm(`${draft}.old`, { force: true })
  }
}
