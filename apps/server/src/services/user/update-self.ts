import { DISPLAY_NAME_CHARACTERS_MAX, displayNameSchema } from '@tollgate/contract/account-rules'
import type { userRoutes } from '@tollgate/contract/user'
import { problem } from '@tollgate/kit/problem'
import { removeSessionsOf } from '@tollgate/store/sessions'
import { usernameKey } from '@tollgate/store/user-spellings'
import { type UserChange, findPasswordHash, isUsernameTaken, updateUser } from '@tollgate/store/users'
import type { Handler } from '../handler.ts'
import { provePassword } from '../session/prove-password.ts'
import { readUsername, requirePassword } from '../session/register.ts'
import type { SessionServices } from '../session/services.ts'

/** Only what is given changes. A new password needs the current one, and ends every other session. */
export function updateSelf(services: SessionServices): Handler<typeof userRoutes.updateSelf> {
  const { store, passwords, notices } = services
  return async ({ actor, body, session }) => {
    if (body.password !== '') {
      requirePassword(body.password)
      await requireOriginal(services, { id: actor.id, original: body.original_password })
    }
    const change: UserChange = {
      ...(body.display_name !== '' && { display_name: readDisplayName(body.display_name) }),
      ...(await readRename(services, { id: actor.id, from: actor.username, to: body.username })),
      ...(body.password !== '' && { password_hash: await passwords.hash(body.password) }),
    }
    await updateUser(store, { id: actor.id, change })
    if (change.password_hash !== undefined) {
      await removeSessionsOf(store, actor.id)
      if (actor.via === 'session') await session.renew(actor.id)
    }
    await notices.publish('users')
    return null
  }
}

/** An account that came from a third-party sign-in has no password to prove. */
async function requireOriginal(
  services: SessionServices,
  { id, original }: { id: number; original: string },
): Promise<void> {
  const user = await findPasswordHash(services.store, id)
  if (!user) throw problem('not_found')
  if (user.password_hash === '') return
  const { isRight } = await provePassword(services, {
    account: user.username,
    password: original,
    stored: user.password_hash,
  })
  if (!isRight) throw problem('original_password_wrong')
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
