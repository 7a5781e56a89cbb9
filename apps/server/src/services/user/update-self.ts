import { DISPLAY_NAME_CHARACTERS_MAX, displayNameSchema } from '@tollgate/contract/account-rules'
import type { userRoutes } from '@tollgate/contract/user'
import { type Language, problem } from '@tollgate/problems/problem'
import { removeSessionsOf } from '@tollgate/store/accounts/sessions'
import { usernameKey } from '@tollgate/store/accounts/user-normalization'
import { type UserChange, updateUser } from '@tollgate/store/accounts/user-changes'
import { findPasswordHash, isUsernameTaken } from '@tollgate/store/accounts/users'
import { notifyOwner } from '../account-safety/notify-owner.ts'
import { type Actor, Answer, type Guard, type Handler } from '../handler.ts'
import { provePassword } from '../session/prove-password.ts'
import { readUsername, requirePassword } from '../session/register.ts'
import type { SessionServices } from '../session/services.ts'

/** Changes only the given fields. A new password revokes the access token and every other session. */
export function updateSelf(services: SessionServices): Handler<typeof userRoutes.updateSelf> {
  const { passwords } = services
  return async ({ actor, body, session, guard, address, language }) => {
    const setsPassword = body.password !== ''
    if (setsPassword) requirePassword(body.password)
    const original = body.original_password
    await requireOwner(services, { actor, guard, setsPassword, original, address })
    const change: UserChange = {
      ...(body.display_name !== '' && { display_name: readDisplayName(body.display_name) }),
      ...(await readRename(services, { id: actor.id, from: actor.username, to: body.username })),
      ...(setsPassword && { password_hash: await passwords.hash(body.password), access_token_hash: null }),
    }
    await writeChange(services, { id: actor.id, change, setsPassword, address, language })
    if (setsPassword) await session.renew(actor.id)
    return new Answer({ data: null, message: setsPassword ? CHANGED[language] : '' })
  }
}

const CHANGED: Readonly<Record<Language, string>> = {
  en: 'The password is changed. Every other session and the access token have ended.',
  zh: '密码已修改，其他登录会话和访问令牌均已失效',
}

interface Ownership {
  readonly actor: Actor
  readonly guard: Guard
  readonly setsPassword: boolean
  /** The current password as sent, or "". */
  readonly original: string
  readonly address: string
}

/**
 * Checks that the caller may set a new password. To change a password, the caller must send the current one
 * or have just signed in with it. For an account that came from a sign-in provider and has no password yet,
 * the caller must have just signed in there. The default password of old releases is publicly known, so it
 * proves nothing and is not required. A script can do none of this and gets no attempts at the current
 * password.
 */
async function requireOwner(
  services: SessionServices,
  { actor, guard, setsPassword, original, address }: Ownership,
): Promise<void> {
  if (!setsPassword || actor.via !== 'session') return guard.require({ when: setsPassword })
  const user = await findPasswordHash(services.store, actor.id)
  if (!user) throw problem('not_found')
  const { username, password_hash: stored, has_default_password: isDefault } = user
  if (stored === '') return guard.require({ when: true })
  if (original === '') return guard.require({ when: isDefault === 0, by: 'password' })
  const { isRight } = await provePassword(services, {
    userId: actor.id,
    name: username,
    address,
    isSignedIn: true,
    isHuman: false,
    password: original,
    stored,
  })
  if (!isRight) throw problem('original_password_wrong')
  guard.require({ when: true, hasSecret: true })
}

interface Writing {
  readonly id: number
  readonly change: UserChange
  readonly setsPassword: boolean
  readonly address: string
  readonly language: Language
}

async function writeChange(
  services: SessionServices,
  { id, change, setsPassword, address, language }: Writing,
): Promise<void> {
  const { store, notices, outbox } = services
  if (!setsPassword) {
    await updateUser(store, { id, change })
    await notices.publish('users')
    return
  }
  const by = { actor: { id }, address }
  await services.change(by, {
    action: 'change-password',
    entity: 'user',
    work: async (transaction) => {
      await updateUser(transaction, { id, change })
      await removeSessionsOf(transaction, id)
      await notifyOwner(services, { userId: id, event: 'password_changed', address, language }, transaction)
    },
    row: { entityId: id, notice: 'users' },
  })
  outbox.wake()
}

async function readRename(
  { store }: SessionServices,
  { from, to }: { id: number; from: string; to: string },
): Promise<Pick<UserChange, 'username'>> {
  if (to.trim() === '' || to.trim() === from) return {}
  const username = readUsername(to)
  const isOwnInOtherCase = usernameKey(username) === usernameKey(from)
  if (!isOwnInOtherCase && (await isUsernameTaken(store, username))) throw problem('username_taken')
  return { username }
}

export function readDisplayName(text: string): string {
  const parsed = displayNameSchema.safeParse(text)
  if (!parsed.success) throw problem('display_name_invalid', { max: DISPLAY_NAME_CHARACTERS_MAX })
  return parsed.data
}
