import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import { StoreError } from '@tollgate/store/database/errors'
import type { Store } from '@tollgate/store/database/open-store'
import { openNewStore } from '@tollgate/testkit/new-store'
import { afterEach } from 'vitest'
import type { Alarm } from '../../src/core/command.ts'
import type { JournalFs } from '../../src/journal/journal-fs.ts'
import type { Ledger } from '../../src/ledger.ts'
import { openLedger } from '../../src/open-ledger.ts'

/** A ledger of one process over a SQLite file, with its journal. Everything runs in this thread. */
export interface Gateway {
  readonly store: Store
  readonly ledger: Ledger
  readonly alarms: readonly Alarm[]
  /** Folds and ends normally. */
  readonly stop: () => Promise<void>
  /** Ends like a killed process: nothing more is folded or written. */
  readonly die: () => Promise<void>
  /** Another program locks the database, or ends that. */
  readonly lock: (isLocked: boolean) => void
}

export interface GatewayOptions {
  readonly clock?: Clock
  readonly fs?: JournalFs
  readonly syncMs?: number | 'always'
  readonly unfoldedBytesMax?: number
  /** The journal's folder, if it is not beside the database. */
  readonly folder?: string
}

/** A folder with a database and its journal, which can be copied while a process uses it. */
export class JournalPlace {
  readonly directory: string
  readonly #running = new Set<Gateway>()

  constructor(directory = mkdtempSync(join(tmpdir(), 'tollgate-journal-place-'))) {
    this.directory = directory
    mkdirSync(directory, { recursive: true })
  }

  get sqlitePath(): string {
    return join(this.directory, 'ledger.db')
  }

  get journalFolder(): string {
    return join(this.directory, 'journal')
  }

  async open({ clock = systemClock, folder, ...options }: GatewayOptions = {}): Promise<Gateway> {
    const alarms: Alarm[] = []
    let isDead = false
    let isLocked = false
    const store = await openNewStore({
      sqlitePath: this.sqlitePath,
      inline: {
        before: () => {
          if (isDead) throw new StoreError('fatal', 'the process is dead')
          if (isLocked) throw new StoreError('busy', 'locked')
        },
      },
    })
    const journal = { ...options, folder: folder ?? this.journalFolder }
    const onAlarm = (alarm: Alarm): void => void (isDead || alarms.push(alarm))
    const ledger = await openLedger({ store, clock, journal, onAlarm })
    const gateway: Gateway = {
      store,
      ledger,
      alarms,
      lock: (locked) => {
        isLocked = locked
      },
      stop: async () => {
        this.#running.delete(gateway)
        await ledger.close()
        await store.close()
      },
      die: async () => {
        this.#running.delete(gateway)
        isDead = true
        await store.close()
      },
    }
    this.#running.add(gateway)
    return gateway
  }

  /** The database as committed, which SQLite has forced to the disk. Between two turns nothing is half written. */
  copyDatabase(to: JournalPlace): void {
    for (const suffix of ['', '-wal'])
      if (existsSync(this.sqlitePath + suffix)) copyFileSync(this.sqlitePath + suffix, to.sqlitePath + suffix)
  }

  /** The journal as written. */
  copyJournal(to: JournalPlace): void {
    if (existsSync(this.journalFolder)) cpSync(this.journalFolder, to.journalFolder, { recursive: true })
  }

  async remove(): Promise<void> {
    for (const gateway of this.#running) await gateway.die()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** Returns a function that makes places, which are removed after each test. */
export function removedPlaces(): () => JournalPlace {
  const places: JournalPlace[] = []
  afterEach(async () => {
    for (const place of places.splice(0)) await place.remove()
  })
  return () => {
    const place = new JournalPlace()
    places.push(place)
    return place
  }
}

/** Lets the event loop turn this many times. */
export async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await turn()
}
