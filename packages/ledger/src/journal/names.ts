const SUFFIX = '.journal'
const FILE_ID = /^([\w-]+)-(\d+)$/

/** A file id is unique in its folder: instance ids are, and an instance numbers its files. */
export function fileIdOf(instanceId: string, number: number): string {
  return `${instanceId}-${number}`
}

export function fileNameOf(fileId: string): string {
  return fileId + SUFFIX
}

export interface JournalName {
  readonly fileId: string
  readonly instanceId: string
  readonly number: number
}

/** Returns `undefined` if the file has no name of a journal. */
export function parseFileName(name: string): JournalName | undefined {
  if (!name.endsWith(SUFFIX)) return undefined
  const fileId = name.slice(0, -SUFFIX.length)
  const [, instanceId, number] = FILE_ID.exec(fileId) ?? []
  return instanceId === undefined ? undefined : { fileId, instanceId, number: Number(number) }
}
