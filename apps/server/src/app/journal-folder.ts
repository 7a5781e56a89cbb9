import { dirname, join } from 'node:path'

/** Local to each machine: the folder of the embedded database, or where it would be. */
export function findDataFolder(sqlitePath: string): string {
  return dirname(sqlitePath)
}

/** The folder of the journal, in the data folder. */
export function journalFolderOf(sqlitePath: string): string {
  return join(findDataFolder(sqlitePath), 'journal')
}
