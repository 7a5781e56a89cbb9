import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomToken } from '@tollgate/kit/ids'
import { findDataFolder } from './journal-folder.ts'

/** The id of this installation, which is kept outside of the database. */
export interface OwnInstallation {
  /** `undefined`: this installation has no id yet. */
  read(): string | undefined
  /** Keeps an id for the next start. An id of the environment is not kept. */
  keep(id: string): void
  createId(): string
  /** Whether the environment names it. */
  readonly isGiven: boolean
  /** Returns whether a restore of an older backup left its mark, and removes it. */
  takeCopyMark(): boolean
}

/** Beside a restored database whose tables are too old to say that it is a copy. */
export function findCopyMark(sqlitePath: string): string {
  return `${sqlitePath}-copy`
}

const ID = /^[\x21-\x7e]{1,128}$/

export function findOwnInstallation({
  installationId = '',
  sqlitePath,
}: {
  readonly installationId?: string
  readonly sqlitePath: string
}): OwnInstallation {
  const folder = findDataFolder(sqlitePath)
  const path = join(folder, 'installation-id')
  // A database in memory has no folder.
  const hasFolder = sqlitePath !== ':memory:'
  return {
    read: () => {
      if (installationId !== '') return installationId
      const text = hasFolder && existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
      return ID.test(text) ? text : undefined
    },
    keep: (id) => {
      if (installationId !== '' || !hasFolder) return
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(path, `${id}\n`, { mode: 0o600 })
    },
    createId: () => randomToken(12),
    isGiven: installationId !== '',
    takeCopyMark: () => {
      const mark = findCopyMark(sqlitePath)
      if (!hasFolder || !existsSync(mark)) return false
      rmSync(mark)
      return true
    },
  }
}
