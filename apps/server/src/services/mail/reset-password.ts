import type { mailRoutes } from '@tollgate/contract/mail'
import { randomAlphanumeric } from '@tollgate/kit/ids'
import { type Language, problem } from '@tollgate/problems/problem'
import { removeSessionsOf } from '@tollgate/store/accounts/sessions'
import { findUserByEmail } from '@tollgate/store/accounts/users'
import { setAccessTokenHash, updateUser } from '@tollgate/store/accounts/user-changes'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import type { Handler } from '../handler.ts'
import { readEmail } from '../read-email.ts'
import { requirePassword } from '../session/register.ts'
import type { MailServices } from './services.ts'

const MADE_CHARACTERS = 16

/**
 * Sets a password with the single-use token of a reset link. A caller of the older API form sends no password
 * and gets a generated one in the response. All sessions and the access token are revoked, so that a person
 * who used the old password is locked out.
 */
export function resetPassword(services: MailServices): Handler<typeof mailRoutes.resetPassword> {
  const { store, codes, passwords, networks, outbox } = services
  return async ({ body, address, language }) => {
    const email = readEmail(body.email)
    if (body.token === '') throw problem('reset_link_refused')
    if (body.password !== undefined) requirePassword(body.password)
    const password = body.password ?? randomAlphanumeric(MADE_CHARACTERS)
    // Hashed first, because hashing may be refused under load, and the token can be used only once.
    const passwordHash = await passwords.hash(password)
    if (!(await codes.take({ purpose: 'reset', subject: email, code: body.token })))
      throw problem('reset_link_refused')
    const owner = await findUserByEmail(store, email)
    if (!owner || owner.isDeleted) throw problem('reset_link_refused')
    await setPassword(services, { id: owner.id, passwordHash, address, language })
    // Lets the owner sign in from this network even if strangers have used up the account's password
    // attempts.
    await networks.add(owner.id, address)
    outbox.wake()
    return body.password === undefined ? password : ''
  }
}

interface NewPassword {
  readonly id: number
  readonly passwordHash: string
  readonly address: string
  readonly language: Language
}

function setPassword(
  services: MailServices,
  { id, passwordHash, address, language }: NewPassword,
): Promise<void> {
  const by = { actor: { id }, address }
  return services.change(by, {
    action: 'reset-password',
    entity: 'user',
    work: async (transaction) => {
      await updateUser(transaction, { id, change: { password_hash: passwordHash } })
      await setAccessTokenHash(transaction, { id, hash: null })
      await removeSessionsOf(transaction, id)
      const event = { userId: id, event: 'password_changed', by: 'mailed-link', address, language } as const
      await notifyOwner(services, event, transaction)
    },
    row: { entityId: id, notice: ['users', id] },
  })
}
