import type { userRoutes } from '@tollgate/contract/user'
import { randomAlphanumeric, sha256Hex } from '@tollgate/kit/ids'
import { setAccessTokenHash } from '@tollgate/store/accounts/user-changes'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import type { Handler } from '../handler.ts'
import type { SessionServices } from '../session/services.ts'

const CHARACTERS = 32

/** The token is shown only in this response; only its hash is stored. */
export function resetAccessToken(services: SessionServices): Handler<typeof userRoutes.resetAccessToken> {
  const { change, outbox } = services
  return async (call) => {
    const { address, language } = call
    const { id } = call.actor
    const token = randomAlphanumeric(CHARACTERS)
    await change(call, {
      action: 'reset',
      entity: 'access-token',
      work: async (transaction) => {
        await setAccessTokenHash(transaction, { id, hash: sha256Hex(token) })
        await notifyOwner(
          services,
          { userId: id, event: 'access_token_made', address, language },
          transaction,
        )
      },
      row: { entityId: id },
    })
    outbox.wake()
    return token
  }
}
