/**
 * Mutations for guards of accounts: each removes one guard, and the credential-route tests must then fail.
 * `from` occurs exactly once in its file.
 */

const SERVICES = 'apps/server/src/services'
const GUARD = `${SERVICES}/guard.ts`
const CONTRACT = 'packages/contract/src'

export const credentialMutations = [
  {
    guard: 'the sign-in that a route always asks for',
    file: GUARD,
    from: "if (actor && route.signIn !== 'any') requireSignIn",
    to: "if (actor && route.path === '/api') requireSignIn",
  },
  {
    guard: 'the age of a sign-in',
    file: GUARD,
    from: 'nowMs - actor.provenMs <= SIGN_IN_WINDOW_MS[window]',
    to: 'nowMs > 0',
  },
  {
    guard: 'what a condition of a route asks for',
    file: GUARD,
    from: 'if (!when || (hasSecret && guardedWhen.orSecretAgain)) return',
    to: 'return',
  },
  {
    guard: 'the settings that lead to accounts',
    file: `${SERVICES}/option/change.ts`,
    from: 'guard.require({ when: isGuardedOption(key) && !isKept })',
    to: 'guard.require({ when: false })',
  },
  {
    guard: 'reverts of the settings that lead to accounts',
    file: `${SERVICES}/option/history.ts`,
    from: 'guard.require({ when: isGuardedOption(key) })',
    to: 'guard.require({ when: false })',
  },
  {
    guard: 'passwords that administrators set',
    file: `${SERVICES}/admin-user/update.ts`,
    from: 'guard.require({ when: setsPassword })',
    to: 'guard.require({ when: false })',
  },
  {
    guard: 'the own password before scripts',
    file: `${SERVICES}/user/update-self.ts`,
    from: "if (!setsPassword || actor.via !== 'session') return guard.require({ when: setsPassword })",
    to: "if (!setsPassword || actor.via !== 'session') return guard.require({ when: false })",
  },
  {
    guard: 'the own password before an old session',
    file: `${SERVICES}/user/update-self.ts`,
    from: "guard.require({ when: isDefault === 0, by: 'password' })",
    to: 'guard.require({ when: false })',
  },
  {
    guard: 'bindings that come back late',
    file: `${SERVICES}/oauth/code-routes.ts`,
    from: 'guard.require({ when: userId !== 0 })',
    to: 'guard.require({ when: false })',
  },
  {
    guard: 'codes for an address',
    file: `${CONTRACT}/mail.ts`,
    from: "sendCode: defineRoute({\n    ...anonymousWriting,\n    signIn: 'recent',",
    to: 'sendCode: defineRoute({\n    ...anonymousWriting,',
  },
  {
    guard: 'the key of a token',
    file: `${SERVICES}/token/reveal.ts`,
    from: 'guard.require({ when: !isTrustedScript })',
    to: 'guard.require({ when: false })',
  },
  {
    guard: 'whole keys in lists of old consoles',
    file: GUARD,
    from: 'hasSignIn(actor, { window: shownWhen.signIn, nowMs })',
    to: 'nowMs > 0',
  },
] as const
