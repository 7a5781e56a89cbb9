import { dirname } from 'node:path'
import { StoreOpenError } from '@tollgate/store/database/errors'
import type { Alarm } from '../core/command.ts'
import type { JournalFileInfo, JournalProblem } from '../journal/journal-folder.ts'

const NAMED_MAX = 3

/** Why files of the journal were not folded, and what the operator can do; one alarm for each reason. */
export function alarmsOf(files: readonly JournalFileInfo[]): readonly Alarm[] {
  const byProblem = Map.groupBy(files, ({ problem }) => problem)
  return [...byProblem].flatMap(([problem, found]) =>
    problem === undefined ? [] : [leftAlone(found, SENTENCES[problem])],
  )
}

const SENTENCES: Readonly<Record<JournalProblem, string>> = {
  newer_version: 'of a newer version; start that version once, so that it folds its calls',
  other_database: 'of another database; start the gateway of that database once, so that it folds its calls',
  damaged_header: 'with a damaged header; no process of this name has written to this database',
  not_readable: 'that cannot be read; check owner and rights, and start again',
}

function leftAlone(files: readonly JournalFileInfo[], sentence: string): Alarm {
  const [first] = files
  const names = files.slice(0, NAMED_MAX).map(({ fileId }) => `${fileId}.journal`)
  const more = files.length > NAMED_MAX ? ` and ${files.length - NAMED_MAX} more` : ''
  const where = first === undefined ? '' : dirname(first.path)
  return {
    type: 'operation_failed',
    detail: `left alone in ${where}: ${names.join(', ')}${more}, ${sentence}`,
  }
}

/** The journal cannot be used at the start. */
export function journalNotUsable(folder: string, cause: unknown): StoreOpenError {
  return new StoreOpenError(
    'not_writable',
    `The journal cannot be kept in ${folder} (${reasonOf(cause)}): check its owner, its rights and the room on the disk.`,
    { cause },
  )
}

/** The code of a file operation, or the message of any other error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}
