import type { tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/problems/problem'
import { findEncryptedTokenKey } from '@tollgate/store/accounts/tokens'
import type { Call, Handler } from '../handler.ts'
import { openKey } from './key.ts'
import type { TokenServices } from './services.ts'
import { wholeKeys } from './visible-keys.ts'

export function revealOwnKey(services: TokenServices): Handler<typeof tokenRoutes.reveal> {
  const { store, cipher, audit } = services
  return async (call) => {
    const { actor } = call
    const { id } = call.params
    requireSignIn(services, call)
    const stored = await findEncryptedTokenKey(store, { id, ownerId: actor.id })
    if (!stored) throw problem('not_found')
    if (stored.key_sealed === '') throw problem('token_key_not_kept')
    await audit(call, { action: 'reveal', entity: 'token', entityId: id })
    return { id, key: openKey(stored, cipher) }
  }
}

/** Newer consoles of new-api use this route to copy several keys. */
export function revealOwnKeys(services: TokenServices): Handler<typeof tokenRoutes.revealMany> {
  return async ({ actor, body, address, guard }) => {
    requireSignIn(services, { actor, guard })
    const keys = await wholeKeys(services, { ids: [...new Set(body.ids)], ownerId: actor.id })
    await services.keyLists.note({ actor, address, keys: keys.size })
    return { keys: Object.fromEntries(keys) }
  }
}

type Asking = Pick<Call<typeof tokenRoutes.reveal>, 'actor' | 'guard'>

/** A script has no recent sign-in. If the site setting allows it, its access token is enough. */
function requireSignIn({ options }: TokenServices, { actor, guard }: Asking): void {
  const isTrustedScript = actor.via === 'access-token' && options.get('token_setting.reveal_by_access_token')
  guard.require({ when: !isTrustedScript })
}
