import type { userRoutes } from '@tollgate/contract/user'
import { randomAlphanumeric, sha256Hex } from '@tollgate/kit/ids'
import { setAccessTokenHash } from '@tollgate/store/accounts/users'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import type { Handler } from '../handler.ts'
import type { SessionServices } from '../session/services.ts'

const CHARACTERS = 32

/** The token is shown only in this response; only its hash is stored. */
export function resetAccessToken(services: SessionServices): Handler<typeof userRoutes.resetAccessToken> {
  const { store, audit, outbox } = services
  return async ({ actor, address, language }) => {
    const { id } = actor
    const token = randomAlphanumeric(CHARACTERS)
    await store.transaction().execute(async (transaction) => {
      await setAccessTokenHash(transaction, { id, hash: sha256Hex(token) })
      const row = { actorId: id, action: 'reset', entity: 'access-token', entityId: id, address }
      await audit.write(row, transaction)
      await notifyOwner(services, { userId: id, event: 'access_token_made', address, language }, transaction)
    })
    outbox.wake()
    return token
  }
}
