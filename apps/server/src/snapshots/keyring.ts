import {
  readToken,
  readTokens,
  readTokensOf,
  readUser,
  readUsers,
  type TokenSnapshotRow,
  type UserSnapshotRow,
} from '@tollgate/store/operations/snapshot-reads'
import type { Db } from '@tollgate/store/tables/schema'
import { addressList } from './address-list.ts'
import type { Keyring, OwnerEntry, TokenEntry } from './snapshots.ts'
import { jsonObject } from './json-object.ts'
import { tokenRules } from './token-rules.ts'

/**
 * Users and their tokens, in memory. A change notice reloads the row concerned; everything is reloaded from
 * time to time.
 */
export class StoredKeyring implements Keyring {
  readonly #db: Db
  #owners = new Map<number, OwnerEntry>()
  #byHash = new Map<string, TokenEntry>()
  #byWholeHash = new Map<string, TokenEntry>()
  #hashes = new Map<number, string>()
  #last: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  byKeyHash(hash: string): TokenEntry | undefined {
    return this.#byHash.get(hash)
  }

  get hasWholeKeys(): boolean {
    return this.#byWholeHash.size > 0
  }

  byWholeKeyHash(hash: string): TokenEntry | undefined {
    return this.#byWholeHash.get(hash)
  }

  owner(userId: number): OwnerEntry | undefined {
    return this.#owners.get(userId)
  }

  reloadAll(): Promise<void> {
    return this.#inTurn(() => this.#readAll())
  }

  reloadToken(id: number): Promise<void> {
    return this.#inTurn(() => this.#readToken(id))
  }

  /** Reloads the user and all of their tokens. */
  reloadUser(id: number): Promise<void> {
    return this.#inTurn(() => this.#readUser(id))
  }

  /** Runs reads one at a time, so that a slow old read cannot overwrite the result of a later one. */
  #inTurn(read: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(read)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #readAll(): Promise<void> {
    const [users, tokens] = [await readUsers(this.#db), await readTokens(this.#db)]
    this.#owners = new Map(users.map((user) => [user.id, ownerEntry(user)]))
    this.#byHash = new Map()
    this.#byWholeHash = new Map()
    this.#hashes = new Map()
    for (const token of tokens) this.#put(token)
  }

  async #readToken(id: number): Promise<void> {
    const row = await readToken(this.#db, id)
    this.#drop(id)
    if (row === undefined) return
    if (!this.#owners.has(row.user_id)) await this.#readOwner(row.user_id)
    this.#put(row)
  }

  async #readUser(id: number): Promise<void> {
    await this.#readOwner(id)
    for (const token of await readTokensOf(this.#db, id)) {
      this.#drop(token.id)
      this.#put(token)
    }
  }

  /** When a user has been deleted, their tokens are no longer found either. */
  async #readOwner(id: number): Promise<void> {
    const row = await readUser(this.#db, id)
    if (row) this.#owners.set(id, ownerEntry(row))
    else this.#owners.delete(id)
  }

  #put(row: TokenSnapshotRow): void {
    const owner = this.#owners.get(row.user_id)
    if (owner === undefined) return
    const byHash = row.key_form === 1 ? this.#byWholeHash : this.#byHash
    byHash.set(row.key_hash, tokenEntry(row, owner))
    this.#hashes.set(row.id, row.key_hash)
  }

  #drop(id: number): void {
    const hash = this.#hashes.get(id)
    if (hash === undefined) return
    this.#hashes.delete(id)
    this.#byHash.delete(hash)
    this.#byWholeHash.delete(hash)
  }
}

function ownerEntry(row: UserSnapshotRow): OwnerEntry {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    status: row.status,
    isDeleted: row.deleted_ms !== null,
    group: row.group_name,
    acceptsUnpricedModels: jsonObject(row.setting)['accept_unset_model_ratio_model'] === true,
    hasPaid: row.paid === 1,
  }
}

function tokenEntry(row: TokenSnapshotRow, owner: OwnerEntry): TokenEntry {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    expiredTime: row.expired_time,
    isUnlimited: row.unlimited_quota === 1,
    models: row.model_limits_enabled === 1 ? modelSet(row.model_limits) : undefined,
    addresses: addressList(row.allow_ips),
    group: row.group_name,
    groupOrder: names(row.group_order),
    triesNextGroup: row.cross_group_retry === 1,
    limits: tokenRules(row),
    owner,
    preview: row.key_preview,
  }
}

function modelSet(list: string): ReadonlySet<string> {
  return new Set(names(list))
}

function names(list: string): readonly string[] {
  return list === '' ? NONE : list.split(',').flatMap((name) => name.trim() || [])
}

const NONE: readonly string[] = []
