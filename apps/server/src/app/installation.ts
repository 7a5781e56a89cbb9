import type { Clock } from '@tollgate/kit/clock'
import {
  type CopyCause,
  type InstallationRow,
  confirmInstallation,
  markCopy,
  readInstallation,
  recordInstallation,
} from '@tollgate/store/operations/installation'
import type { Db } from '@tollgate/store/tables/schema'
import type { OwnInstallation } from './installation-id.ts'

/** Whether this database is the original, or a copy that must do nothing outside of itself. */
export interface SiteInstallation {
  readonly id: string
  /** The installation that it was a copy of; "" for none. It may still own the folder of the backups. */
  readonly predecessor: string
  readonly isConfirmed: boolean
  /** Why it counts as a copy, and since when; `undefined` when it does not. */
  readonly copy: CopyState | undefined
  /** A person says that it is the original from now on. Resolves to false if it was so before. */
  confirm(transaction: Db): Promise<boolean>
  /** Otherwise a change by another process takes effect within seconds. */
  readAgain(): Promise<void>
  close(): void
}

export interface CopyState {
  readonly cause: CopyCause | ''
  readonly sinceMs: number
}

export interface ConfirmParts {
  readonly db: Db
  readonly own: OwnInstallation
  /** One process and its workers have the database for themselves. */
  readonly isEmbedded: boolean
}

export interface InstallationParts extends ConfirmParts {
  readonly clock: Clock
  readonly isRestoredConfirmed: boolean
  readonly log: {
    warn(details: object, message: string): void
    error(details: object, message: string): void
  }
}

const READ_EVERY_MS = 5_000

/**
 * Compares the id of this installation with the one that the database records. A process that has none takes the
 * recorded one, so a renamed container, a moved pod and a promoted standby stay what they were.
 */
export async function openInstallation(parts: InstallationParts): Promise<SiteInstallation> {
  const { db, own, clock, log, isRestoredConfirmed } = parts
  const recorded = await recordInstallation(db, own.read() ?? own.createId())
  const id = own.read() ?? (recorded.id === '' ? own.createId() : recorded.id)
  keepId(parts, id)
  if (own.takeCopyMark()) await markCopy(db, { cause: 'restored', nowMs: clock.nowMs() })
  if (recorded.id !== '' && recorded.id !== id)
    await markCopy(db, { cause: 'other-installation', nowMs: clock.nowMs() })
  if (isRestoredConfirmed) await confirmCopy(parts)
  let row: InstallationRow = (await readInstallation(db)) ?? recorded
  const timer = setInterval(() => void readAgain(), READ_EVERY_MS).unref()

  async function readAgain(): Promise<void> {
    // Without the database the last known state holds.
    row = (await readInstallation(db).catch(() => undefined)) ?? row
  }

  const isConfirmed = (): boolean => row.unconfirmed_ms === 0
  if (!isConfirmed()) log.warn({ cause: row.cause }, COPY_LINE)
  return {
    get id() {
      return row.id
    },
    get predecessor() {
      return row.predecessor
    },
    get isConfirmed() {
      return isConfirmed()
    },
    get copy() {
      return isConfirmed() ? undefined : { cause: readCause(row.cause), sinceMs: row.unconfirmed_ms }
    },
    confirm: (transaction) => confirmCopy({ ...parts, db: transaction }),
    readAgain,
    close: () => clearInterval(timer),
  }
}

/**
 * The database belongs to this installation from now on. An embedded one gets a new id with it, so that an original that
 * still runs no longer owns the backups.
 */
export async function confirmCopy({ db, own, isEmbedded }: ConfirmParts): Promise<boolean> {
  const recorded = await readInstallation(db)
  const current = own.read() ?? (recorded?.id || own.createId())
  if (recorded !== undefined && recorded.id === current && recorded.unconfirmed_ms === 0) return false
  const id = isEmbedded && !own.isGiven ? own.createId() : current
  own.keep(id)
  return confirmInstallation(db, id)
}

const COPY_LINE =
  'this database is a copy that nobody has confirmed: backups, log sinks, mails, webhooks and automatic disabling are off; tollgate confirm, the button in the console or CONFIRM_RESTORED=1 switches them on'

/** Without the file the next start takes the recorded id, which is the same. */
function keepId({ own, log }: InstallationParts, id: string): void {
  if (own.read() === id) return
  try {
    own.keep(id)
  } catch (error) {
    log.error({ error }, 'could not keep the id of this installation in the data folder')
  }
}

function readCause(text: string): CopyCause | '' {
  return text === 'restored' ||
    text === 'moved' ||
    text === 'imported' ||
    text === 'marked' ||
    text === 'other-installation'
    ? text
    : ''
}
