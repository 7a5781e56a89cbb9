import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { ownPlaceOf } from '@tollgate/importer/open-source'
import { journalProgress } from '@tollgate/ledger/journal-progress'
import { countLiveInstances } from '@tollgate/ledger/live-instances'
import { copiedTables } from '@tollgate/store/transfer/copied-tables'
import { countRows, lastOf } from '@tollgate/store/transfer/copy-table'
import { type StoreView, openView } from '@tollgate/store/database/open-view'
import type { Database } from '@tollgate/store/tables/schema'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { lockFile } from '@tollgate/store/sqlite/lock'
import { journalFolderOf } from '../../app/journal-folder.ts'
import type { Place } from '../../config/index.ts'
import { CommandError } from '../command.ts'

/** Another Tollgate database, as it was at one moment. It is only read. */
export interface OwnSource extends StoreView {
  readonly place: OwnPlace
  /** A hash that stays the same as long as nothing in the database changes. */
  readonly id: string
  readonly counts: ReadonlyMap<keyof Database, number>
}

export type OwnPlace = Pick<Place, 'sqlDsn' | 'sqlitePath'>

/**
 * Rejects with a sentence for the operator when a gateway uses the database, because charges made from now on
 * would be missing from the copy. A dry run may read a database that is in use.
 */
export async function openOwnSource(
  from: string,
  { target, isDryRun }: { target: OwnPlace; isDryRun: boolean },
): Promise<OwnSource> {
  const place = ownPlaceOf(from)
  refuseSame(place, target)
  const lock = isDryRun || isServerDsn(place.sqlDsn) ? undefined : lockFile(place.sqlitePath)
  try {
    const view = await openView({ dsn: place.sqlDsn, sqlitePath: place.sqlitePath })
    const close = async (): Promise<void> => {
      await view.close()
      lock?.release()
    }
    return await described({ ...view, close }, { place, isDryRun }).catch(async (error: unknown) => {
      await view.close()
      throw error
    })
  } catch (error) {
    lock?.release()
    throw error
  }
}

function refuseSame(place: OwnPlace, target: OwnPlace): void {
  const isSame = isServerDsn(target.sqlDsn)
    ? place.sqlDsn === target.sqlDsn
    : place.sqlDsn === '' && realPath(place.sqlitePath) === realPath(target.sqlitePath)
  if (isSame)
    throw new CommandError(
      '--from names the database of this gateway itself: say with SQL_DSN or SQLITE_PATH where to bring it.',
    )
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

async function described(
  view: StoreView,
  { place, isDryRun }: { place: OwnPlace; isDryRun: boolean },
): Promise<OwnSource> {
  const isServer = isServerDsn(place.sqlDsn)
  const live = isServer && !isDryRun ? await countLiveInstances(view.db) : 0
  if (live > 0)
    throw new CommandError(
      `The ${view.name} is in use by ${live} of its gateways: stop them first (one that was killed counts for half a minute).`,
    )
  if (!isServer && !isDryRun) await requireFolded(view, place)
  const counts = new Map<keyof Database, number>()
  const lasts: unknown[] = []
  for (const table of copiedTables) {
    counts.set(table.name, await countRows(view.db, table.name))
    lasts.push(await lastOf(view.db, table))
  }
  return { ...view, place, counts, id: await identify(view, [...counts], lasts) }
}

/** The copy has another id, so no gateway would fold this journal into it. */
async function requireFolded({ db, name }: StoreView, { sqlitePath }: OwnPlace): Promise<void> {
  const files = await journalProgress(db, journalFolderOf(sqlitePath))
  const behind = files.find(({ end, position, hasOpenCalls }) => position < end || hasOpenCalls)
  if (behind === undefined) return
  throw new CommandError(
    `The journal ${behind.path} has calls that are not in ${name} yet: start its gateway once, stop it, and try again.`,
  )
}

/**
 * Derives the id of the database. Before a gateway can write the ledger it inserts an instance row with a
 * random id, so any use of the database changes the hash.
 */
async function identify({ db }: StoreView, ...figures: readonly unknown[]): Promise<string> {
  const instances = await db.selectFrom('instance').selectAll().orderBy('id').execute()
  const text = JSON.stringify([instances, ...figures])
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
