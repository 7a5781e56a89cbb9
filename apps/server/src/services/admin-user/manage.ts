import type { UserAction, adminUserRoutes } from '@tollgate/contract/admin-user'
import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import {
  type ManagedChange,
  findManagedUser,
  updateManagedUser,
} from '@tollgate/store/accounts/managed-users'
import { removeSessionsOf } from '@tollgate/store/accounts/sessions'
import type { Actor, Handler } from '../handler.ts'
import { requireManage } from './can-manage.ts'
import { showUser } from './get.ts'
import type { AdminUserServices } from './services.ts'
import { managed } from './wire.ts'

type ManageAction = Extract<UserAction, 'promote' | 'demote' | 'enable' | 'disable' | 'delete'>

export function manageUser(services: AdminUserServices): Handler<typeof adminUserRoutes.manage> {
  return async ({ body, actor, address, language }) => {
    await perform(services, { ...body, actor, address })
    return showUser(services, body.id, { actor, language })
  }
}

export function removeUser(services: AdminUserServices): Handler<typeof adminUserRoutes.remove> {
  return async ({ params, actor, address }) => {
    await perform(services, { id: params.id, action: 'delete', actor, address })
    return null
  }
}

interface Deed {
  readonly id: number
  readonly action: ManageAction
  readonly actor: Actor
  readonly address: string
}

/** Changes the user only if role and status are still those that the permission was checked against. */
export async function perform(services: AdminUserServices, deed: Deed): Promise<void> {
  const { store, clock } = services
  const { id, action, actor } = deed
  const row = await findManagedUser(store, id)
  if (!row) throw problem('user_unknown')
  requireManage(actor, managed(row), action)
  const change = CHANGES[action](clock.nowMs())
  const { role, status } = row
  await services.change(deed, {
    action,
    entity: 'user',
    work: async (transaction) => {
      if (!(await updateManagedUser(transaction, { id, seen: { role, status }, change })))
        throw problem('user_changed')
      if (action !== 'enable') await removeSessionsOf(transaction, id)
    },
    row: {
      entityId: id,
      before: shown(row),
      after: shown({ ...row, ...change }),
      notice: ['users', id],
    },
  })
}

/** A user who is disabled, deleted or given another role is signed out and has to sign in again. */
const CHANGES: Readonly<Record<ManageAction, (nowMs: number) => ManagedChange>> = {
  promote: () => ({ role: USER_ROLE.admin }),
  demote: () => ({ role: USER_ROLE.user }),
  enable: () => ({ status: USER_STATUS.enabled }),
  disable: () => ({ status: USER_STATUS.disabled }),
  delete: (nowMs) => ({ deleted_ms: nowMs, access_token_hash: null }),
}

function shown(row: { username: string; role: number; status: number; deleted_ms: number | null }) {
  const { username, role, status, deleted_ms } = row
  return { username, role, status, deactivated: deleted_ms !== null }
}
