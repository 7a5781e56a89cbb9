import type { Access, RouteDefinition, SignIn } from '@tollgate/contract/route'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/problems/problem'
import type { Actor, Guard, GuardQuestion } from './handler.ts'

type Window = Exclude<SignIn, 'any'>
type GuardedRoute = Pick<
  RouteDefinition,
  'method' | 'path' | 'access' | 'signIn' | 'guardedWhen' | 'shownWhen'
>

const MINUTE_MS = 60_000

/**
 * How long a verified password or provider sign-in counts. `recent` lasts a working day, so that a stolen
 * cookie does not reveal keys for weeks; `fresh` lasts as long as it takes to fill in a form.
 */
export const SIGN_IN_WINDOW_MS: Readonly<Record<Window, number>> = {
  recent: 12 * 60 * MINUTE_MS,
  fresh: 15 * MINUTE_MS,
}

/** Guards secrets and changes to sign-in methods. The edge creates one guard for each call. */
export interface CallGuard extends Guard {
  /** Called after the handler; throws if the route declares a condition that the handler did not check. */
  checkAsked(): void
}

/**
 * Enforces the sign-in that the route always requires, and returns the guard for its conditional
 * requirements.
 */
export function openGuard(
  route: GuardedRoute,
  { actor, nowMs }: { actor: Actor | undefined; nowMs: number },
): CallGuard {
  if (actor && route.signIn !== 'any') requireSignIn(actor, { window: route.signIn, nowMs })
  const { guardedWhen, shownWhen } = route
  let isAsked = !guardedWhen
  let isShowAsked = !shownWhen
  return {
    require: ({ when, hasSecret = false, by }: GuardQuestion) => {
      invariant(guardedWhen, `${route.method} ${route.path} declares the condition that its handler judges`)
      isAsked = true
      if (!when || (hasSecret && guardedWhen.orSecretAgain)) return
      if (!actor) throw problem('not_signed_in')
      if (!hasRole(actor, guardedWhen.access ?? route.access)) throw problem('secret_needed_again')
      requireSignIn(actor, { window: guardedWhen.signIn, nowMs, by })
    },
    mayShow: ({ when }) => {
      invariant(shownWhen, `${route.method} ${route.path} declares when it shows the secret`)
      isShowAsked = true
      return when && actor !== undefined && hasSignIn(actor, { window: shownWhen.signIn, nowMs })
    },
    checkAsked: () =>
      invariant(
        isAsked && isShowAsked,
        `the handler of ${route.method} ${route.path} asks its guard in every call`,
      ),
  }
}

interface Needed {
  readonly window: Window
  readonly nowMs: number
  readonly by?: GuardQuestion['by']
}

function hasSignIn(actor: Actor, { window, nowMs, by }: Needed): boolean {
  const isInTime = actor.via === 'session' && nowMs - actor.provenMs <= SIGN_IN_WINDOW_MS[window]
  return isInTime && (by === undefined || by === actor.provenBy)
}

function requireSignIn(actor: Actor, needed: Needed): void {
  if (hasSignIn(actor, needed)) return
  const { window } = needed
  throw problem(window === 'fresh' ? 'fresh_sign_in_needed' : 'recent_sign_in_needed')
}

const ROLE_OF: Readonly<Record<Access, number>> = { public: 0, user: 1, admin: 10, root: 100 }

function hasRole(actor: Actor, access: Access): boolean {
  return actor.role >= ROLE_OF[access]
}
