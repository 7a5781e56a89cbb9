import { dirname, join } from 'node:path'

/** The folder of the journal, which is local to each machine: beside the embedded database or where it would be. */
export function journalFolderOf(sqlitePath: string): string {
  return join(dirname(sqlitePath), 'journal')
}
