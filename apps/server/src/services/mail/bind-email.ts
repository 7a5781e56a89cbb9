import { EMAIL_UNDO_HOURS } from '@tollgate/contract/account-safety'
import type { mailRoutes } from '@tollgate/contract/mail'
import { randomToken, sha256Hex } from '@tollgate/kit/ids'
import { type Language, problem } from '@tollgate/problems/problem'
import { insertEmailUndo } from '@tollgate/store/accounts/email-undos'
import type { Db } from '@tollgate/store/tables/schema'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import { findUser } from '@tollgate/store/accounts/users'
import { setEmail } from '@tollgate/store/accounts/user-changes'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import type { Handler } from '../handler.ts'
import { readAccountEmail } from '../read-email.ts'
import { bindingSubject } from './rules.ts'
import type { MailServices } from './services.ts'

/** Binds the email address that a code for this account was sent to, replacing an earlier one. */
export function bindEmail(services: MailServices): Handler<typeof mailRoutes.bindEmail> {
  const { options, codes } = services
  return async ({ query, actor, address, language }) => {
    const email = readAccountEmail(options, query.email)
    const subject = bindingSubject(actor.id, email)
    if (!(await codes.take({ purpose: 'bind', subject, code: query.code })))
      throw problem('verification_code_wrong')
    await changeEmail(services, { id: actor.id, email, address, language }).catch((error: unknown) => {
      if (isUniqueViolation(error)) throw problem('email_taken', {}, { cause: error })
      throw error
    })
    return null
  }
}

export function unbindEmail(services: MailServices): Handler<typeof mailRoutes.unbindEmail> {
  return async ({ actor, address, language }) => {
    const user = await findUser(services.store, actor.id)
    if (!user || user.email === '') throw problem('email_not_bound')
    await changeEmail(services, { id: actor.id, email: '', address, language })
    return null
  }
}

interface EmailChange {
  readonly id: number
  /** "" unbinds the address. */
  readonly email: string
  readonly address: string
  readonly language: Language
}

async function changeEmail(services: MailServices, change: EmailChange): Promise<void> {
  const { id, email, address } = change
  const by = { actor: { id }, address }
  await services.change(by, {
    action: email === '' ? 'unbind' : 'bind',
    entity: 'email',
    work: async (transaction) => {
      const before = (await findUser(transaction, id))?.email ?? ''
      await setEmail(transaction, { id, email })
      if (email !== before) await notifyFormerAddress(services, { ...change, before }, transaction)
      return before
    },
    row: (before) => ({ entityId: id, before, after: email }),
  })
  services.outbox.wake()
}

/**
 * Notifies the previous address and sends a link that restores it: a person who took over the account would
 * receive all later emails at the new address.
 */
async function notifyFormerAddress(
  services: MailServices,
  { id, email, before, address, language }: EmailChange & { readonly before: string },
  transaction: Db,
): Promise<void> {
  const event = before === '' ? 'email_bound' : email === '' ? 'email_removed' : 'email_changed'
  const undoToken = before === '' ? '' : await newUndo(services, { id, before }, transaction)
  const change = { userId: id, event, email, address, language, to: before, undoToken } as const
  await notifyOwner(services, change, transaction)
}

async function newUndo(
  { clock }: MailServices,
  { id, before }: { readonly id: number; readonly before: string },
  transaction: Db,
): Promise<string> {
  const token = randomToken()
  const nowMs = clock.nowMs()
  await insertEmailUndo(transaction, {
    tokenHash: sha256Hex(token),
    userId: id,
    email: before,
    nowMs,
    expiresMs: nowMs + EMAIL_UNDO_HOURS * 3_600_000,
  })
  return token
}
