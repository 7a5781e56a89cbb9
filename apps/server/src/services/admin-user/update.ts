import type { adminUserRoutes } from '@tollgate/contract/admin-user'
import { type Language, problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import {
  type ManagedChange,
  type ManagedUserRow,
  findManagedUser,
  updateManagedUser,
} from '@tollgate/store/accounts/managed-users'
import { removeSessionsOf } from '@tollgate/store/accounts/sessions'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import type { ChangedBy } from '../change.ts'
import type { Call, Handler } from '../handler.ts'
import { readUsername, requirePassword } from '../session/register.ts'
import { readDisplayName } from '../user/update-self.ts'
import { usernameKey } from '@tollgate/store/accounts/user-normalization'
import { isUsernameTaken } from '@tollgate/store/accounts/users'
import { wireQuota } from '../wire-quota.ts'
import { requireManage } from './can-manage.ts'
import { showUser } from './get.ts'
import { adjustBalance } from './quota.ts'
import type { AdminUserServices } from './services.ts'
import { managed } from './wire.ts'

type Update = typeof adminUserRoutes.update

/**
 * Changes the fields that were sent and differ. The quota is changed first: if the balance has moved
 * meanwhile, nothing is changed.
 */
export function updateUser(services: AdminUserServices): Handler<Update> {
  const { store } = services
  return async (call) => {
    const { body, actor, address, language, guard } = call
    const setsPassword = (body.password ?? '') !== ''
    guard.require({ when: setsPassword })
    const row = await findManagedUser(store, body.id)
    if (!row) throw problem('user_unknown')
    requireManage(actor, managed(row), 'edit')
    if (setsPassword && row.id === actor.id) throw problem('user_own_password')
    if (body.role !== undefined && body.role !== row.role && body.role >= actor.role)
      throw problem('user_role_grant')
    const change = await readChange(services, row, body)
    const quota = await quotaChange(services, call)
    if (quota) await adjustBalance(services, { actorId: actor.id, userId: row.id, address, ...quota })
    await writeChange(services, { row, change, actor, address, language })
    return showUser(services, row.id, { actor, language })
  }
}

type Body = Call<Update>['body']

async function readChange(
  { store, passwords, options }: AdminUserServices,
  row: ManagedUserRow,
  body: Body,
): Promise<ManagedChange> {
  const { username, display_name, group, password, remark } = body
  if (password) requirePassword(password)
  const isOtherGroup = group !== undefined && group !== row.group_name
  if (isOtherGroup && !options.get('GroupRatio').has(group)) throw problem('user_group_unknown', { group })
  const isOtherName = username !== undefined && username.trim() !== row.username
  const newName = isOtherName ? readUsername(username) : row.username
  const isOtherKey = usernameKey(newName) !== usernameKey(row.username)
  if (isOtherKey && (await isUsernameTaken(store, newName))) throw problem('username_taken')
  return {
    ...(isOtherName && { username: newName }),
    ...(display_name !== undefined &&
      display_name.trim() !== row.display_name && { display_name: readDisplayName(display_name) }),
    ...(isOtherGroup && { group_name: group }),
    ...(remark !== undefined && remark.trim() !== row.remark && { remark: remark.trim() }),
    ...(password && { password_hash: await passwords.hash(password), access_token_hash: null }),
  }
}

/**
 * Converts an absolute quota into a change relative to the balance that the form had loaded. Our console
 * sends that balance as `expected_quota`; for older consoles the gateway remembers the balance it last showed
 * them. For a script that never loaded the user, the current balance is used.
 */
async function quotaChange({ shownQuotas, ledger }: AdminUserServices, { body, actor }: Call<Update>) {
  const { quota, expected_quota, operation_key: operationKey } = body
  if (quota === undefined) return undefined
  const loaded = expected_quota ?? (await shownQuotas.recall({ actor, entity: 'user', id: body.id }))
  const now = await ledger.balance(accountId('user', body.id))
  const expected = loaded ?? (now ? wireQuota(now.remaining - now.debt) : 0)
  return quota === expected ? undefined : { delta: quota - expected, expected, operationKey }
}

interface Writing {
  readonly row: ManagedUserRow
  readonly change: ManagedChange
  readonly actor: ChangedBy['actor']
  readonly address: string
  readonly language: Language
}

/**
 * A new password ends the user's sessions and access token, because they may be in the hands of somebody
 * else.
 */
async function writeChange(
  services: AdminUserServices,
  { row, change, actor, address, language }: Writing,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  const { id, role, status } = row
  const write = services.change(
    { actor, address },
    {
      action: 'update',
      entity: 'user',
      work: async (transaction) => {
        if (!(await updateManagedUser(transaction, { id, seen: { role, status }, change })))
          throw problem('user_changed')
        if (change.password_hash === undefined) return
        await removeSessionsOf(transaction, id)
        const event = {
          userId: id,
          event: 'password_changed',
          by: 'administrator',
          address,
          language,
        } as const
        await notifyOwner(services, event, transaction)
      },
      row: {
        entityId: id,
        before: shown(row, change),
        after: shown(change, change),
        notice: ['users', id],
      },
    },
  )
  await write.catch((error: unknown) => {
    if (isUniqueViolation(error)) throw problem('username_taken', {}, { cause: error })
    throw error
  })
  services.outbox.wake()
}

/**
 * The changed fields, from the row before or after the change; for a password only the fact that it changed.
 */
function shown(values: ManagedChange | ManagedUserRow, change: ManagedChange): Record<string, unknown> {
  const names = ['username', 'display_name', 'group_name'] as const
  const fields = names.filter((name) => change[name] !== undefined).map((name) => [name, values[name]])
  const password = change.password_hash === undefined ? [] : [['password', '[secret]']]
  return Object.fromEntries([...fields, ...password])
}
