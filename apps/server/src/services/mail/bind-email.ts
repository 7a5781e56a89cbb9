import type { mailRoutes } from '@tollgate/contract/mail'
import { problem } from '@tollgate/kit/problem'
import { isUniqueViolation } from '@tollgate/store/traits'
import { findUser, setEmail } from '@tollgate/store/users'
import type { Handler } from '../handler.ts'
import { readAccountEmail } from '../read-email.ts'
import { bindingSubject } from './rules.ts'
import type { MailServices } from './services.ts'

/** Binds the address a code was sent to for this account. It takes the place of an earlier one. */
export function bindEmail(services: MailServices): Handler<typeof mailRoutes.bindEmail> {
  const { options, codes } = services
  return async ({ query, actor, address }) => {
    const email = readAccountEmail(options, query.email)
    const subject = bindingSubject(actor.id, email)
    if (!(await codes.take({ purpose: 'bind', subject, code: query.code })))
      throw problem('verification_code_wrong')
    await changeEmail(services, { id: actor.id, email, address }).catch((error: unknown) => {
      if (isUniqueViolation(error)) throw problem('email_taken', {}, { cause: error })
      throw error
    })
    return null
  }
}

export function unbindEmail(services: MailServices): Handler<typeof mailRoutes.unbindEmail> {
  return async ({ actor, address }) => {
    const user = await findUser(services.store, actor.id)
    if (!user || user.email === '') throw problem('email_not_bound')
    await changeEmail(services, { id: actor.id, email: '', address })
    return null
  }
}

async function changeEmail(
  { store, audit }: MailServices,
  { id, email, address }: { id: number; email: string; address: string },
): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    const before = await findUser(transaction, id)
    await setEmail(transaction, { id, email })
    await audit.write(
      {
        actorId: id,
        action: email === '' ? 'unbind' : 'bind',
        entity: 'email',
        entityId: id,
        before: before?.email,
        after: email,
        address,
      },
      transaction,
    )
  })
}
