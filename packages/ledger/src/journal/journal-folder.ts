import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { JOURNAL_FORMAT } from './file-header.ts'
import { type JournalName, parseFileName } from './names.ts'
import { type JournalHead, readHead } from './read-head.ts'

/**
 * Why a file needs the operator. It is left alone, except with `damaged_header`: its lines are read, but which
 * database they belong to is only known from the instance.
 */
export type JournalProblem = 'newer_version' | 'other_database' | 'not_readable' | 'damaged_header'

export interface JournalFileInfo extends JournalName {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  /**
   * Where reading ends: at the size, or at the offset from which the next file repeats the lines. 0 for a file
   * that the process did not finish creating; the file before it has all lines then.
   */
  readonly end: number
  /** No other file continues it. */
  readonly isLast: boolean
  readonly problem: JournalProblem | undefined
}

type Found = JournalName & { readonly path: string } & (JournalHead | { readonly error: unknown })

/** The journals in a folder, which several processes may share, by instance and in the order of writing. */
export function listJournals(folder: string, databaseId: string): readonly JournalFileInfo[] {
  const found = namesIn(folder)
    .map((name) => lookAt(folder, name))
    .filter((file) => file !== undefined)
    .toSorted(inOrder)
  const successors = successorOffsets(found)
  return found.map((file) => infoOf(file, successors.get(file.fileId), databaseId))
}

/** No folder is the same as an empty one. Other errors of the folder are thrown. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

function lookAt(folder: string, fileName: string): Found | undefined {
  const name = parseFileName(fileName)
  if (name === undefined) return undefined
  const path = join(folder, fileName)
  try {
    return { ...name, path, ...readHead(path) }
  } catch (error) {
    // Another process may have removed it.
    return hasCode(error, 'ENOENT') ? undefined : { ...name, path, error }
  }
}

function inOrder(one: JournalName, other: JournalName): number {
  if (one.instanceId !== other.instanceId) return one.instanceId < other.instanceId ? -1 : 1
  return one.number - other.number
}

/** For each file that another one continues: the offset up to which it is to be read. */
function successorOffsets(files: readonly Found[]): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>()
  for (const file of files) {
    if (!('size' in file) || !file.isWhole || file.header?.continues === undefined) continue
    offsets.set(file.header.continues.fileId, file.header.continues.offset)
  }
  return offsets
}

function infoOf(file: Found, successor: number | undefined, databaseId: string): JournalFileInfo {
  const { path, fileId, instanceId, number } = file
  const size = 'size' in file ? file.size : 0
  const isWhole = 'size' in file && file.isWhole
  return {
    path,
    fileId,
    instanceId,
    number,
    size,
    modifiedMs: 'size' in file ? file.modifiedMs : 0,
    end: isWhole ? (successor ?? size) : 0,
    isLast: successor === undefined,
    problem: problemOf(file, databaseId),
  }
}

function problemOf(file: Found, databaseId: string): JournalProblem | undefined {
  if ('error' in file) return 'not_readable'
  const { header, isWhole } = file
  if (header === undefined) return isWhole ? 'damaged_header' : undefined
  if (header.format > JOURNAL_FORMAT) return 'newer_version'
  return header.databaseId === databaseId ? undefined : 'other_database'
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
