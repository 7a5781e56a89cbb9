import type { accountSafetyRoutes } from '@tollgate/contract/account-safety'
import { sha256Hex } from '@tollgate/kit/ids'
import { type Language, problem } from '@tollgate/problems/problem'
import { takeEmailUndo } from '@tollgate/store/accounts/email-undos'
import type { Db } from '@tollgate/store/tables/schema'
import { removeSessionsOf } from '@tollgate/store/accounts/sessions'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import { findUser } from '@tollgate/store/accounts/users'
import { setAccessTokenHash, setEmail } from '@tollgate/store/accounts/user-changes'
import type { Handler } from '../handler.ts'
import type { MailServices } from '../mail/services.ts'
import { notifyOwner } from './notify-owner.ts'

const NOBODY_SIGNED_IN = { id: 0 }

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
  return async ({ body, address, language }) => {
    const undoing = { token: body.token, address, language }
    const undo = services.change(
      { actor: NOBODY_SIGNED_IN, address },
      {
        action: 'undo',
        entity: 'email',
        work: (transaction) => restore(services, transaction, undoing),
        row: ({ userId, before, email }) => ({
          actorId: userId,
          entityId: userId,
          before,
          after: email,
          notice: ['users', userId],
        }),
      },
    )
    const { email } = await undo.catch((error: unknown) => {
      if (isUniqueViolation(error)) throw problem('email_taken', {}, { cause: error })
      throw error
    })
    services.outbox.wake()
    return { email }
  }
}

async function restore(
  services: MailServices,
  transaction: Db,
  { token, address, language }: Undoing,
): Promise<{ readonly userId: number; readonly email: string; readonly before: string }> {
  const tokenHash = sha256Hex(token)
  const undo = await takeEmailUndo(transaction, { tokenHash, nowMs: services.clock.nowMs() })
  const user = undo && (await findUser(transaction, undo.userId))
  if (!undo || !user) throw problem('undo_link_refused')
  const { userId, email } = undo
  await setEmail(transaction, { id: userId, email })
  await setAccessTokenHash(transaction, { id: userId, hash: null })
  await removeSessionsOf(transaction, userId)
  // Shown in the console only: the owner of this mailbox has just opened the link.
  const change = { userId, event: 'email_restored', email, address, language, to: '' } as const
  await notifyOwner(services, change, transaction)
  return { ...undo, before: user.email }
}
