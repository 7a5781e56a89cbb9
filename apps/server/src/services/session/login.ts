import type { sessionRoutes } from '@tollgate/contract/session'
import { USER_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { PROVEN_BY_PASSWORD } from '@tollgate/store/accounts/sessions'
import { findUserForSignIn } from '@tollgate/store/accounts/users'
import { markDefaultPassword, updateUser } from '@tollgate/store/accounts/user-changes'
import type { Handler } from '../handler.ts'
import { isSwitchedOn } from '../option/switched-on.ts'
import { readSelf } from '../user/self.ts'
import { provePassword } from './prove-password.ts'
import type { SessionServices } from './services.ts'
import { DEFAULT_PASSWORD } from '@tollgate/contract/account-rules'

/** Every wrong combination gets the same error, so that no response reveals which names exist. */
export function login(services: SessionServices): Handler<typeof sessionRoutes.login> {
  const { store, options, passwords } = services
  return async ({ body, session, address }) => {
    if (!options.get('PasswordLoginEnabled')) throw problem('password_login_closed')
    const name = body.username.trim()
    if (name === '' || body.password === '') throw problem('credentials_missing')
    const user = await findUserForSignIn(store, name)
    const { isRight, isOutdated } = await provePassword(services, {
      userId: user?.id,
      name,
      address,
      isSignedIn: false,
      // When the CAPTCHA check is on, `humansOnly` has already refused everyone who did not pass it.
      isHuman: isSwitchedOn(options, 'TurnstileCheckEnabled'),
      password: body.password,
      stored: user?.password_hash,
    })
    if (!user || !isRight || user.status !== USER_STATUS.enabled) throw problem('credentials_refused')
    if (isOutdated)
      await updateUser(store, { id: user.id, change: { password_hash: await passwords.hash(body.password) } })
    if (isDefaultPassword(body.password)) await markDefaultPassword(store, user.id)
    await session.start(user.id, PROVEN_BY_PASSWORD)
    return readSelf(services, user.id)
  }
}

/** The default password is shorter than the minimum length, so only an imported account can have it. */
function isDefaultPassword(password: string): boolean {
  return password === DEFAULT_PASSWORD
}
