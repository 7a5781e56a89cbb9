import type { accountRoutes } from '@tollgate/contract/account'
import { problem } from '@tollgate/problems/problem'
import { markProven } from '@tollgate/store/accounts/sessions'
import { findPasswordHash } from '@tollgate/store/accounts/users'
import type { Handler } from '../handler.ts'
import { SIGN_IN_WINDOW_MS } from '../guard.ts'
import { provePassword } from '../session/prove-password.ts'
import type { AccountServices } from './services.ts'

/** Verifies the password again in an older session, so that the session may show and change secrets. */
export function proveAgain(services: AccountServices): Handler<typeof accountRoutes.prove> {
  const { store, clock } = services
  return async ({ actor, body, address }) => {
    if (actor.sessionHash === undefined) throw problem('session_required')
    const user = await findPasswordHash(store, actor.id)
    if (!user || user.password_hash === '') throw problem('password_none')
    const { isRight } = await provePassword(services, {
      userId: actor.id,
      name: user.username,
      address,
      isSignedIn: true,
      isHuman: false,
      password: body.password,
      stored: user.password_hash,
    })
    if (!isRight) throw problem('password_wrong')
    const nowMs = clock.nowMs()
    await markProven(store, { idHash: actor.sessionHash, nowMs })
    return { recent_until: Math.floor((nowMs + SIGN_IN_WINDOW_MS.recent) / 1000) }
  }
}
