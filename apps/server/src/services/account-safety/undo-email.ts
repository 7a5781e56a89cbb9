import type { accountSafetyRoutes } from '@tollgate/contract/account-safety'
import { sha256Hex } from '@tollgate/kit/ids'
import { type Language, problem } from '@tollgate/kit/problem'
import { takeEmailUndo } from '@tollgate/store/accounts/email-undos'
import type { Database } from '@tollgate/store/tables/schema'
import { removeSessionsOf } from '@tollgate/store/accounts/sessions'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import { findUser, setAccessTokenHash, setEmail } from '@tollgate/store/accounts/users'
import type { Kysely } from 'kysely'
import type { Handler } from '../handler.ts'
import type { MailServices } from '../mail/services.ts'
import { notifyOwner } from './notify-owner.ts'

interface Undoing {
  readonly token: string
  readonly address: string
  readonly language: Language
}

/**
 * Restores, once, the email address that the link was sent to. All sessions and the access token are revoked,
 * which locks out the person who changed the address. That person may know the password, so the owner sets
 * another through a reset link to the restored address.
 */
export function undoEmail(services: MailServices): Handler<typeof accountSafetyRoutes.undoEmail> {
  const { store, outbox, notices } = services
  return async ({ body, address, language }) => {
    const undoing = { token: body.token, address, language }
    const restored = await store
      .transaction()
      .execute((transaction) => restore(services, transaction, undoing))
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw problem('email_taken', {}, { cause: error })
        throw error
      })
    outbox.wake()
    await notices.publish('users', restored.userId)
    return { email: restored.email }
  }
}

async function restore(
  services: MailServices,
  transaction: Kysely<Database>,
  { token, address, language }: Undoing,
): Promise<{ readonly userId: number; readonly email: string }> {
  const tokenHash = sha256Hex(token)
  const undo = await takeEmailUndo(transaction, { tokenHash, nowMs: services.clock.nowMs() })
  const user = undo && (await findUser(transaction, undo.userId))
  if (!undo || !user) throw problem('undo_link_refused')
  const { userId, email } = undo
  await setEmail(transaction, { id: userId, email })
  await setAccessTokenHash(transaction, { id: userId, hash: null })
  await removeSessionsOf(transaction, userId)
  const row = { actorId: userId, action: 'undo', entity: 'email', entityId: userId, address }
  await services.audit.write({ ...row, before: user.email, after: email }, transaction)
  // Shown in the console only: the owner of this mailbox has just opened the link.
  const change = { userId, event: 'email_restored', email, address, language, to: '' } as const
  await notifyOwner(services, change, transaction)
  return undo
}
