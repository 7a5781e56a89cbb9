import { KEY_NEEDS_SIGN_IN, type tokenRoutes } from '@tollgate/contract/token'
import { type TokenRow, listEncryptedTokenKeys } from '@tollgate/store/accounts/tokens'
import type { Call } from '../handler.ts'
import { openKey } from './key.ts'
import type { TokenServices } from './services.ts'

/** The parts of a request that decide whether the caller sees complete keys. */
export type KeyAsking = Pick<Call<typeof tokenRoutes.get>, 'actor' | 'address' | 'guard' | 'userHeader'>
type Row = Pick<TokenRow, 'id' | 'key_preview'>

/**
 * Returns the text of the field `key` for each row. Consoles written for new-api copy this field as the key.
 * A session that sends new-api's user header gets the complete key while its sign-in is recent, and
 * afterwards a text that says to sign in again. All other callers get the preview.
 */
export async function keysForCaller(
  services: TokenServices,
  { actor, address, guard, userHeader }: KeyAsking,
  rows: readonly Row[],
): Promise<(row: Row) => string> {
  const isAllowed = services.options.get('token_setting.show_keys_to_old_consoles')
  const isOldConsole = isAllowed && actor.via === 'session' && userHeader === 'family'
  const mayShow = guard.mayShow({ when: isOldConsole })
  if (!isOldConsole) return ({ key_preview: preview }) => preview
  if (!mayShow) return () => KEY_NEEDS_SIGN_IN
  await services.keyLists.note({ actor, address, keys: rows.length })
  const keys = await wholeKeys(services, { ids: rows.map(({ id }) => id), ownerId: actor.id })
  return ({ id, key_preview: preview }) => keys.get(id) ?? preview
}

/** Complete keys by token id; keys that cannot be decrypted are left out. */
export async function wholeKeys(
  { store, cipher }: TokenServices,
  which: { ids: readonly number[]; ownerId: number },
): Promise<ReadonlyMap<number, string>> {
  const keys = new Map<number, string>()
  for (const row of await listEncryptedTokenKeys(store, which)) {
    const key = readableKey(row, cipher)
    if (key !== undefined) keys.set(row.id, key)
  }
  return keys
}

function readableKey(
  row: Parameters<typeof openKey>[0],
  cipher: TokenServices['cipher'],
): string | undefined {
  try {
    return openKey(row, cipher)
  } catch {
    // After a change of the encryption key the copies cannot be decrypted, but the tokens still work.
    return undefined
  }
}
