import { ApiError } from '@tollgate/contract/client'
import { callHeaders, redirectToLogin } from '../../../shared/api/client.ts'
import type { LogQuery } from '../filters/search.ts'

export type ExportFormat = 'csv' | 'jsonl'

export interface DownloadInput {
  readonly isAdmin: boolean
  readonly query: LogQuery
  readonly format: ExportFormat
  /** Aborting it makes the server stop reading as well. */
  readonly signal: AbortSignal
}

/**
 * Downloads all matching rows as a file. If the browser supports it, the file is written to the disk as it
 * arrives, so its size does not matter; otherwise it is collected in memory first. Resolves to `false` if the
 * reader cancelled the file dialog.
 */
export async function downloadLogs({ isAdmin, query, format, signal }: DownloadInput): Promise<boolean> {
  const name = `usage-${new Date().toISOString().slice(0, 10)}.${format}`
  const place = await choosePlace(name)
  if (place === 'none') return false
  const address = `/api/log/${isAdmin ? 'export' : 'self/export'}?${searchOf({ ...query, format })}`
  const response = await fetch(address, { headers: callHeaders(), credentials: 'same-origin', signal })
  if (response.status === 401) redirectToLogin()
  if (!response.ok || !response.body) throw new ApiError('', response.status)
  if (place) await response.body.pipeTo(await place.createWritable(), { signal })
  else saveBlob(await response.blob(), name)
  return true
}

function searchOf(query: LogQuery & { readonly format: ExportFormat }): string {
  return new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
}

interface FilePlace {
  createWritable(): Promise<WritableStream<Uint8Array>>
}

/** Not every browser supports this, and TypeScript's DOM library does not declare it. */
interface FilePicker {
  readonly showSaveFilePicker?: (options: { readonly suggestedName: string }) => Promise<FilePlace>
}

async function choosePlace(suggestedName: string): Promise<FilePlace | 'none' | undefined> {
  const picker: typeof globalThis & FilePicker = globalThis
  try {
    return await picker.showSaveFilePicker?.({ suggestedName })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'none'
    // Not allowed here, for example inside a frame: the file is collected in memory instead.
    return undefined
  }
}

function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
