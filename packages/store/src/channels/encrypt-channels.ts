import type { Cipher } from '@tollgate/kit/cipher'
import { sql } from 'kysely'
import {
  type ChannelSecrets,
  channelSecretColumns,
  encryptChannelSecrets,
  isEncryptedText,
} from './secrets.ts'
import type { Db } from '../tables/schema.ts'
import { type ScrubOutcome, scrubFile } from '../sqlite/scrub-file.ts'
import { engineOf } from '../database/traits.ts'
import { readWatermark, writeWatermark } from '../operations/watermarks.ts'

export interface EncryptChannelsResult {
  /** Number of channels that had clear text. */
  readonly encrypted: number
  /**
   * Whether old copies of the texts were removed from unused parts of the SQLite file; `undefined` for
   * servers.
   */
  readonly file: ScrubOutcome | undefined
}

/** Watermark for the progress on SQLite. A server needs nothing after the last row is encrypted. */
const MARK = 'channel-secrets'
/** Clear text was found and may still be in unused pages of the file. */
const BEGUN = 1
const DONE = 2
const ROWS_AT_ONCE = 200

/**
 * Encrypts what channels stored in clear before schema 18. It runs at every start, because a process of an
 * older version may have written meanwhile. Each row is updated by one statement that requires its former
 * texts: a kill loses nothing, two processes do not encrypt a text twice, and a concurrent edit is not
 * overwritten. `path` is the SQLite file.
 */
export async function encryptStoredChannels(
  db: Db,
  { cipher, path = '' }: { readonly cipher: Pick<Cipher, 'encrypt'>; readonly path?: string },
): Promise<EncryptChannelsResult> {
  if (engineOf(db) !== 'sqlite') return { encrypted: await encryptAll(db, cipher), file: undefined }
  const isUnfinished = (await readWatermark(db, MARK)) === BEGUN
  if (!isUnfinished && (await clearRows(db, 0)).length === 0) return { encrypted: 0, file: undefined }
  await writeWatermark(db, { name: MARK, position: BEGUN })
  // Without this, the clear text would stay readable in the pages that are freed.
  await sql.raw('pragma secure_delete = on').execute(db)
  const encrypted = await encryptAll(db, cipher)
  const file = await scrubFile(db, path)
  await sql.raw('pragma secure_delete = off').execute(db)
  if (file !== 'busy') await writeWatermark(db, { name: MARK, position: DONE })
  return { encrypted, file }
}

async function encryptAll(db: Db, cipher: Pick<Cipher, 'encrypt'>): Promise<number> {
  let encrypted = 0
  let after = 0
  for (let rows = await clearRows(db, after); rows.length > 0; rows = await clearRows(db, after)) {
    for (const row of rows) {
      await encryptRow(db, row, cipher)
      encrypted++
      after = row.id
    }
  }
  return encrypted
}

type StoredSecrets = ChannelSecrets & { readonly id: number }

/** Tries again when an operator saves the channel at the same moment. */
async function encryptRow(db: Db, found: StoredSecrets, cipher: Pick<Cipher, 'encrypt'>): Promise<void> {
  let row: StoredSecrets | undefined = found
  while (row !== undefined && isClear(row) && !(await replace(db, row, encrypted(row, cipher))))
    row = await secretsOf(db, row.id)
}

function encrypted(
  { id, ...stored }: StoredSecrets,
  cipher: Pick<Cipher, 'encrypt'>,
): Partial<ChannelSecrets> {
  const clear = channelSecretColumns.filter((column) => !isEncryptedText(stored[column]))
  const texts = Object.fromEntries(clear.map((column) => [column, stored[column]]))
  return encryptChannelSecrets(texts, { id, cipher })
}

async function replace(
  db: Db,
  { id, ...former }: StoredSecrets,
  texts: Partial<ChannelSecrets>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('channels')
    .set(texts)
    .where('id', '=', id)
    .where('header_override', '=', former.header_override)
    .where('param_override', '=', former.param_override)
    .where('setting', '=', former.setting)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function isClear(row: ChannelSecrets): boolean {
  return channelSecretColumns.some((column) => row[column] !== '' && !isEncryptedText(row[column]))
}

const columns = ['id', ...channelSecretColumns] as const

function secretsOf(db: Db, id: number): Promise<StoredSecrets | undefined> {
  return db.selectFrom('channels').select(columns).where('id', '=', id).executeTakeFirst()
}

async function clearRows(db: Db, after: number): Promise<readonly StoredSecrets[]> {
  return db
    .selectFrom('channels')
    .select(columns)
    .where('id', '>', after)
    .where((where) =>
      where.or(
        channelSecretColumns.map((column) =>
          where.and([where(column, '<>', ''), where(column, 'not like', 'v1.%')]),
        ),
      ),
    )
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
}
