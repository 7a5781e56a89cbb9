/**
 * Mutations for guards of sign-in and setup: each removes one guard, and the corpora `guesses` and `entry`
 * must then fail. `from` occurs exactly once in its file.
 */

const SERVER = 'apps/server/src'
const GUESSES = `${SERVER}/services/session/password-attempts.ts`
const LOCAL = `${SERVER}/edge/local-request.ts`

export const entryMutations = [
  {
    guard: 'the count of guesses by account instead of by name',
    file: GUESSES,
    from: 'return isSignedIn ? `${userId} signed in` : String(userId)',
    to: 'return name',
  },
  {
    guard: 'the wait between guesses',
    file: GUESSES,
    from: 'if (!decision.allowed) {',
    to: 'if (String(decision) === "") {',
  },
  {
    guard: 'the /64 that is one network',
    file: GUESSES,
    from: 'const paceKey = `${subject} ${limitKey(claim.address)}`',
    to: 'const paceKey = `${subject} ${limitKey("") + claim.address}`',
  },
  {
    guard: 'the hundred guesses a day of strangers',
    file: GUESSES,
    from: 'if (decision?.allowed !== false) return day !== undefined',
    to: 'if (decision !== null) return false',
  },
  {
    guard: 'known networks that strangers cannot close',
    file: GUESSES,
    from: 'const isKnown = await networks.has(userId ?? 0, address)',
    to: 'const isKnown = (await networks.has(userId ?? 0, address)) && userId === 0',
  },
  {
    guard: 'the network that a sign-in makes known',
    file: `${SERVER}/services/session/identities.ts`,
    from: 'await networks.add(userId, address)',
    to: '',
  },
  {
    guard: 'the setup token',
    file: `${SERVER}/services/setup/run.ts`,
    from: '!isLocal && !setupToken.isRight(body.setup_token)',
    to: '!isLocal && setupToken.isRight("") && !body.setup_token',
  },
  {
    guard: 'the loopback host of a local setup',
    file: LOCAL,
    from: " && isLoopbackHost(headers.host ?? '')",
    to: '',
  },
  {
    guard: 'the traces of a proxy in a setup',
    file: LOCAL,
    from: 'Object.keys(headers).some(isForwarding)',
    to: 'Object.keys(headers).every(isForwarding)',
  },
  {
    guard: 'the refusal of two cookies of one name',
    file: `${SERVER}/edge/session-cookie.ts`,
    from: 'if (values.length > 1)',
    to: 'if (values.length > 99)',
  },
  {
    guard: 'the limit of wrong keys',
    file: `${SERVER}/relay/stations/admit/authenticate.ts`,
    from: 'app.countWrongKey?.(app.clientAddress(call.request))',
    to: '',
  },
]
