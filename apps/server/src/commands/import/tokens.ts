import type { Claims } from '@tollgate/importer/claims'
import { type MappedToken, mapToken } from '@tollgate/importer/map-token'
import type { Cipher } from '@tollgate/kit/cipher'
import { sha256Hex } from '@tollgate/kit/ids'
import { raiseNextId } from '@tollgate/store/database/next-id'
import type { Db } from '@tollgate/store/tables/schema'
import { insertImported } from '@tollgate/store/transfer/imported-rows'
import { storeKey } from '../../services/token/key.ts'
import type { ImportContext } from './import-context.ts'
import { importRows } from './import-rows.ts'
import { importOpenings } from './openings.ts'

const TABLE = 'tokens'

/**
 * Imports tokens with their ids, their keys (hashed, encrypted, with a preview) and their quotas as opened
 * accounts.
 */
export async function importTokens(context: ImportContext, claims: Claims): Promise<void> {
  const { db, report, writing, nowMs } = context
  const keys = new Set<string>()
  await importRows(context, {
    table: TABLE,
    isMain: true,
    map: (source) => {
      const token = mapToken(source, { nowMs })
      const { row, key, notes } = token
      const refusal = unusable(token, { claims, keys })
      if (refusal === undefined) keys.add(token.wholeHash || key)
      return { id: row.id, row: token, refusal, name: row.name, notes }
    },
    onBatch: async (tokens) => {
      for (const { row } of tokens) if (row.group_name !== '') report.groups.add(row.group_name)
      await importOpenings(context, tokens.map(openingOf))
    },
    findForeign,
    insert: async (transaction, fresh) => {
      if (!writing) return
      // Same as when an owner removes a token: only the hash of a deleted token is kept.
      const rows = fresh.map((token) => {
        const { row } = token
        const stored = storeImportedKey(token, writing.cipher)
        return { ...row, ...stored, key_sealed: row.deleted_ms === null ? stored.key_sealed : '' }
      })
      await insertImported(transaction, TABLE, rows)
    },
  })
  if (writing) await raiseNextId(db, { traits: writing.traits, table: TABLE })
}

/** Of a key that the source knows only as a hash, nothing else can be kept. */
function storeImportedKey({ key, wholeHash, preview }: MappedToken, cipher: Cipher) {
  if (wholeHash === '') return { ...storeKey(key, cipher), key_form: 0 } as const
  return { key_hash: wholeHash, key_sealed: '', key_preview: preview, key_form: 1 } as const
}

interface Known {
  readonly claims: Claims
  /** Keys of the tokens handled before. */
  readonly keys: ReadonlySet<string>
}

/** Tokens that nobody can use are left out; they are reported and written to the side file. */
function unusable({ row, key, wholeHash }: MappedToken, { claims, keys }: Known) {
  if (key === '' && wholeHash === '') return 'token-without-key'
  if (!claims.userIds.has(row.user_id)) return 'token-without-owner'
  return keys.has(wholeHash || key) ? 'token-key-repeated' : undefined
}

function openingOf({ row, figures }: MappedToken) {
  const isUnlimited = row.unlimited_quota === 1
  return { table: TABLE, kind: 'token', ownerId: row.id, figures, isUnlimited } as const
}

async function findForeign(db: Db, fresh: readonly MappedToken[]): Promise<readonly string[]> {
  const ids = fresh.map(({ row }) => row.id)
  const hashes = fresh.map(({ key, wholeHash }) => wholeHash || sha256Hex(key))
  const found = await db
    .selectFrom(TABLE)
    .select(['id', 'name'])
    .where((where) => where.or([where('id', 'in', ids), where('key_hash', 'in', hashes)]))
    .execute()
  return found.map(({ id, name }) => `token ${id} (${name}) is here already`)
}
