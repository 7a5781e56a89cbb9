import type { Clock } from '@tollgate/kit/clock'
import { type Cipher, openCipher } from '@tollgate/kit/cipher'
import type { Ledger } from '@tollgate/ledger/ledger'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { StoreOpenError } from '@tollgate/store/database/errors'
import { type OpenStoreOptions, type Store, openStore } from '@tollgate/store/database/open-store'
import { openView } from '@tollgate/store/database/open-view'
import type { Db } from '@tollgate/store/tables/schema'
import type { Traits } from '@tollgate/store/database/traits'
import { requireSameSecret } from '../../app/same-secret.ts'

export interface TargetPlace {
  readonly sqlDsn: string
  readonly sqlitePath: string
  /** Returns the key that encrypts stored secrets. Called only when something is to be written. */
  readonly cipherKey: () => Buffer
  /** For tests only: no threads for an embedded database. */
  readonly inline?: OpenStoreOptions['inline']
}

/** Opens the store of a target, which is created when missing. */
export function openTargetStore(
  { sqlDsn: dsn, sqlitePath, inline }: Omit<TargetPlace, 'cipherKey'>,
  options: Pick<OpenStoreOptions, 'mayBeHalfImported'> = {},
): Promise<Store> {
  return openStore({ dsn, sqlitePath, ...(inline && { inline }), ...options })
}

export interface Target {
  readonly db: Db
  readonly traits: Traits
  readonly ledger: Ledger
  readonly cipher: Cipher
  close(): Promise<void>
}

/** Rejects, with a sentence for the operator, while a gateway has the embedded database open. */
export async function openTarget(place: TargetPlace, clock: Clock): Promise<Target> {
  const store = await openTargetStore(place)
  const cipher = openCipher(place.cipherKey())
  await requireSameSecret(store.db, cipher).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const ledger = await openLedger({ store, clock })
  const close = async (): Promise<void> => {
    await ledger.close()
    await store.close()
  }
  return { db: store.db, traits: store.traits, ledger, cipher, close }
}

/** Migrates tables of an earlier Tollgate version, as a start of the gateway would. Changes nothing else. */
export async function updateTarget(place: TargetPlace): Promise<void> {
  const view = await openTargetToLook(place).catch((error: unknown) => {
    if (error instanceof StoreOpenError && error.reason === 'older_schema') return undefined
    throw error
  })
  if (view) return view.close()
  const store = await openTargetStore(place)
  await store.close()
}

/** Opens the target read-only. If the database does not exist yet, opens an empty one in memory instead. */
export async function openTargetToLook({
  sqlDsn,
  sqlitePath,
}: Pick<TargetPlace, 'sqlDsn' | 'sqlitePath'>): Promise<Pick<Target, 'db' | 'close'>> {
  try {
    return await openView({ dsn: sqlDsn, sqlitePath })
  } catch (error) {
    if (!(error instanceof StoreOpenError && error.reason === 'no_database')) throw error
    return openStore({ sqlitePath: ':memory:' })
  }
}
