import type { adminUserRoutes } from '@tollgate/contract/admin-user'
import { problem } from '@tollgate/problems/problem'
import { type ManagedUserRow, findManagedUser } from '@tollgate/store/accounts/managed-users'
import type { Actor, Handler } from '../handler.ts'
import { requireManage } from './can-manage.ts'
import type { AdminUserServices } from './services.ts'
import { type UserReader, managed, toWireUsers } from './wire.ts'
import { findKeyOwner } from '@tollgate/store/accounts/tokens'
import { searched } from '../searches.ts'
import { hashForms, readSentKey } from '../token/key.ts'

export function getUser(services: AdminUserServices): Handler<typeof adminUserRoutes.get> {
  return async ({ params, actor, language }) => {
    const { id } = await visibleUser(services, params.id, { actor, language })
    return showUser(services, id, { actor, language })
  }
}

/** Returns the row of a user whom the reader is allowed to view. */
export async function visibleUser(
  { store }: AdminUserServices,
  id: number,
  { actor }: UserReader,
): Promise<ManagedUserRow> {
  const row = await findManagedUser(store, id)
  if (!row) throw problem('user_unknown')
  requireManage(actor, managed(row), 'view')
  return row
}

/** Returns the current row for an edit form and remembers the balance that the form has loaded. */
export async function showUser(
  services: AdminUserServices,
  id: number,
  reader: UserReader & { readonly actor: Pick<Actor, 'via'> },
) {
  const row = await findManagedUser(services.store, id)
  const [user] = row ? await toWireUsers(services, [row], reader) : []
  if (!user) throw problem('user_unknown')
  services.shownQuotas.remember({ actor: reader.actor, entity: 'user', id: user.id }, user.quota)
  return user
}

/** Finds the owner of an API key. Only the hash is compared, so a part of a key finds nothing. */
export function findOwnerOfKey(services: AdminUserServices): Handler<typeof adminUserRoutes.ownerOfKey> {
  return async ({ body, actor }) => {
    const sent = readSentKey(body.key.trim())
    if (sent === undefined) return null
    const owner = await searched(services, { actorId: actor.id, query: { token: sent.key } }, ({ store }) =>
      findKeyOwner(store, hashForms(sent)),
    )
    return owner ?? null
  }
}
