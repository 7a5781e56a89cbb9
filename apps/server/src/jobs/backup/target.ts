export interface BackupInstallation {
  readonly id: string
  /** The installation that this was a copy of; "" for none. */
  readonly predecessor: string
  readonly isConfirmed: boolean
}

/** Where copies are kept. Every failure is a `JobFailure` with a sentence for the operator. */
export interface TargetOwner {
  readonly owner: string
  /** What the file is now, for a change that expects it. */
  readonly version: string
}

export interface BackupTarget {
  /** As an operator knows it: the folder, or the address of the bucket. */
  readonly name: string
  /** Rejects before anything is copied when the place can certainly not be used. */
  check(): Promise<void>
  /** Puts a copy there under this name. `path`: a file of the data folder, which stays where it is. */
  put(name: string, path: string, signal: AbortSignal): Promise<void>
  list(): Promise<readonly string[]>
  remove(name: string): Promise<void>
  /** Which installation keeps copies there; `undefined`: none does yet. */
  readOwner(): Promise<TargetOwner | undefined>
  /** Changes the owner if the file is still this version, or absent. Resolves to false if it is not. */
  writeOwner(owner: string, expected: string | undefined): Promise<boolean>
}
