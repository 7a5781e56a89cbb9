/** Where copies are kept. Every failure is a `JobFailure` with a sentence for the operator. */
export interface BackupTarget {
  /** Rejects before anything is copied when the place can certainly not be used. */
  check(): Promise<void>
  /** Puts a copy there under this name. `path`: a file of the data folder, which stays where it is. */
  put(name: string, path: string, signal: AbortSignal): Promise<void>
  list(): Promise<readonly string[]>
  remove(name: string): Promise<void>
}
