/** Guards of the ways in that the corpora `guesses` and `entry` must miss when one is gone. `from` stands exactly once in its file. */

const SERVER = 'apps/server/src'
const GUESSES = `${SERVER}/services/session/password-guesses.ts`
const LOCAL = `${SERVER}/edge/local-request.ts`

export const entryMutations = [
  {
    guard: 'guesses are counted by the account, not by the name as typed',
    file: GUESSES,
    from: 'return isSignedIn ? `${userId} signed in` : String(userId)',
    to: 'return name',
  },
  {
    guard: 'a guess waits for its turn',
    file: GUESSES,
    from: 'if (!decision.allowed) {',
    to: 'if (String(decision) === "") {',
  },
  {
    guard: 'an IPv6 /64 is one network',
    file: GUESSES,
    from: 'const paceKey = `${subject} ${limitKey(claim.address)}`',
    to: 'const paceKey = `${subject} ${limitKey("") + claim.address}`',
  },
  {
    guard: 'strangers have a hundred guesses a day',
    file: GUESSES,
    from: 'if (decision?.allowed !== false) return day !== undefined',
    to: 'if (decision !== null) return false',
  },
  {
    guard: 'known networks are not counted with strangers',
    file: GUESSES,
    from: 'const isKnown = await networks.has(userId ?? 0, address)',
    to: 'const isKnown = (await networks.has(userId ?? 0, address)) && userId === 0',
  },
  {
    guard: 'a sign-in makes its network known',
    file: `${SERVER}/services/session/identities.ts`,
    from: 'await networks.add(userId, address)',
    to: '',
  },
  {
    guard: 'the setup asks for its token',
    file: `${SERVER}/services/setup/run.ts`,
    from: '!isLocal && !setupToken.isRight(body.setup_token)',
    to: '!isLocal && setupToken.isRight("") && !body.setup_token',
  },
  {
    guard: 'a public host is not local',
    file: LOCAL,
    from: " && isLoopbackHost(headers.host ?? '')",
    to: '',
  },
  {
    guard: 'what came through a proxy is not local',
    file: LOCAL,
    from: 'Object.keys(headers).some(isForwarding)',
    to: 'Object.keys(headers).every(isForwarding)',
  },
  {
    guard: 'two cookies of one name are refused',
    file: `${SERVER}/edge/session-cookie.ts`,
    from: 'if (values.length > 1)',
    to: 'if (values.length > 99)',
  },
  {
    guard: 'wrong keys are limited',
    file: `${SERVER}/relay/admit/authenticate.ts`,
    from: 'ports.countWrongKey?.(ports.clientAddress(call.request))',
    to: '',
  },
]
