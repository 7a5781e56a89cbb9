import { channelMutations } from './channel-mutations.ts'
import { credentialMutations } from './credential-mutations.ts'
import { entryMutations } from './entry-mutations.ts'
import { socketMutations } from './socket-mutations.ts'
import { spellingMutations } from './spelling-mutations.ts'

/** A guard to remove: `from` occurs exactly once in the file. */
export interface Mutation {
  readonly guard: string
  readonly file: string
  readonly from: string
  readonly to: string
  /**
   * The test files that detect the removal, where known: `bodies|frames` for `bodies.test.ts` and
   * `frames.test.ts`. Otherwise all
   * attack tests run.
   */
  readonly corpus?: string
}

const DIALECTS = 'packages/dialects/src'
const RELAY = 'apps/server/src/relay'

/** Guards for request bodies. */
const bodyMutations: readonly Mutation[] = [
  {
    guard: 'the number of values in a body',
    corpus: 'bodies',
    file: `${DIALECTS}/json-scan.ts`,
    from: "else if (++this.values > valuesMax) this.beyond = 'values'",
    to: 'else this.values++',
  },
  {
    guard: 'the number of members in an object',
    corpus: 'bodies',
    file: `${DIALECTS}/json-scan.ts`,
    from: "if (members > membersMax) this.beyond = 'members'",
    to: "if (members > 1e9) this.beyond = 'members'",
  },
  {
    guard: 'the number of members of a request',
    corpus: 'bodies',
    file: `${DIALECTS}/json-scan.ts`,
    from: "members > topMembersMax) this.beyond = 'topMembers'",
    to: "members > 1e9) this.beyond = 'topMembers'",
  },
  {
    guard: 'the depth of a body',
    corpus: 'bodies',
    file: `${DIALECTS}/json-scan.ts`,
    from: "if (depth > depthMax) return stopped('depth')",
    to: '',
  },
  {
    guard: 'the limits of JSON in texts',
    corpus: 'bodies',
    file: `${DIALECTS}/json-limits.ts`,
    from: 'if (valuesLeft !== undefined) throw beyond',
    to: 'if (valuesLeft === 0) throw beyond',
  },
  {
    guard: 'the number of content codings',
    corpus: 'bodies',
    file: `${RELAY}/stations/admit/content-codings.ts`,
    from: 'codings.length > CODINGS_MAX',
    to: 'codings.length > 1e9',
  },
  {
    guard: 'the size of what a coding inside another unpacks to',
    corpus: 'bodies',
    file: `${RELAY}/stations/admit/body.ts`,
    from: 'fed.size > this.#input.rules.bytesMax',
    to: 'fed.size > 1e12',
  },
  {
    guard: 'the size of what a body unpacks to',
    corpus: 'bodies',
    file: `${RELAY}/stations/admit/body.ts`,
    from: 'this.#bytes.size + chunk.length > rules.bytesMax',
    to: 'this.#bytes.size > 1e12',
  },
  {
    guard: 'the price of what a coding inside another unpacks to',
    corpus: 'bodies',
    file: `${RELAY}/stations/admit/body.ts`,
    from: '!isInflated || !this.#pay(length)',
    to: 'true',
  },
  {
    guard: 'the map of last places in a splice',
    corpus: 'scans',
    file: `${DIALECTS}/json-splice.ts`,
    from: 'lastPlaces.get(member.name) === index',
    to: '!members.some((later, place) => place > index && later.name === member.name)',
  },
  {
    guard: 'the bound of prompts',
    corpus: 'bodies',
    file: `${DIALECTS}/json-limits.ts`,
    from: 'PROMPT_CHARACTERS_MAX = 64 * 1024',
    to: 'PROMPT_CHARACTERS_MAX = 1e9',
  },
  {
    guard: 'the limits of task bodies',
    corpus: 'bodies',
    file: `${DIALECTS}/checked/read-object.ts`,
    from: 'checkedScan(bytes, callerLimits, judged)',
    to: 'checkedScan(bytes, { depthMax: 1e9, valuesMax: 1e9, membersMax: 1e9 }, judged)',
  },
  {
    guard: 'the order of prompts that is looked for without the spaces before it',
    corpus: 'patterns',
    file: 'packages/providers/src/tasks/prompt-flags.ts',
    from: 'DRAWING_MODES = /--(?:fast',
    to: 'DRAWING_MODES = /\\s*--(?:fast',
  },
  {
    guard: 'the orders of a video that do not repeat one another',
    corpus: 'patterns',
    file: 'packages/providers/src/tasks/ark.ts',
    from: '(?:duration|dur|framespersecond|frames|fps|resolution|rs))+/gi',
    to: '(?:duration|dur|framespersecond|frames|fps|resolution|rs))+\\s+\\S+/gi',
  },
  {
    guard: 'the budget of a user',
    corpus: 'large-bodies',
    file: `${RELAY}/stations/admit/body-budget.ts`,
    from: 'if (ofUser + bytes > userMax)',
    to: 'if (ofUser + bytes > 1e12)',
  },
  {
    guard: 'the budget of the process',
    corpus: 'large-bodies',
    file: `${RELAY}/stations/admit/body-budget.ts`,
    from: 'if (isFull || ',
    to: 'if (',
  },
  {
    guard: 'the small share of accounts with cents',
    corpus: 'large-bodies',
    file: `${RELAY}/stations/admit/body-budget.ts`,
    from: "return balance < SMALL_BALANCE ? 'small' : 'ample'",
    to: "return 'ample'",
  },
  {
    guard: 'the share of all accounts with cents together',
    corpus: 'large-bodies',
    file: `${RELAY}/stations/admit/body-budget.ts`,
    from: ' || this.#standings[standing] + bytes > allMax',
    to: '',
  },
  {
    guard: 'the end of a lease',
    corpus: 'large-bodies',
    file: `${RELAY}/stations/admit/body-budget.ts`,
    from: 'if (this.bytes > 0) this.give(this.bytes)',
    to: '',
  },
  {
    guard: 'the account that is asked before a body is read',
    corpus: 'large-bodies',
    file: `${RELAY}/stations/admit/body-gate.ts`,
    from: 'if (balance > 0n) return',
    to: 'if (balance >= 0n) return',
  },
  {
    guard: 'the price of a large body, before it is parsed',
    corpus: 'large-bodies',
    file: `${RELAY}/stations/admit/read-call.ts`,
    from: 'if (balance !== undefined) refuseUnpayable(',
    to: 'if (balance === -1n) refuseUnpayable(',
  },
  {
    guard: 'the account that is asked before a task is read',
    corpus: 'slow-senders',
    file: `${RELAY}/tasks/read-body.ts`,
    from: 'if (remaining > 0n) return',
    to: 'if (remaining >= 0n) return',
  },
  {
    guard: 'the thread that large bodies are read in',
    corpus: 'bodies',
    file: `${RELAY}/stations/admit/read-call.ts`,
    from: 'if (bytes.length > LARGE_BYTES) return readLarge(',
    to: 'if (bytes.length > 1e12) return readLarge(',
  },
  {
    guard: 'the thread that dense bodies are read in',
    corpus: 'bodies',
    file: `${RELAY}/stations/admit/read-call.ts`,
    from: 'if (scan.values > LARGE_VALUES) return readLarge(',
    to: 'if (scan.values > 1e12) return readLarge(',
  },
  {
    guard: 'the thread that long texts are searched in',
    corpus: 'bodies',
    file: `${RELAY}/stations/admit/words.ts`,
    from: 'if (text.length > filter.quickCharacters)',
    to: 'if (text.length > 1e12)',
  },
  {
    guard: 'ids that are texts or numbers',
    corpus: 'bodies',
    file: `${RELAY}/tasks/read.ts`,
    from: "if (typeof id !== 'string' && typeof id !== 'number')",
    to: "if (typeof id === 'boolean')",
  },
  {
    guard: 'the frames of a session in the budget',
    corpus: 'frames',
    file: `${RELAY}/sockets/frame-lease.ts`,
    from: 'lease.take(more)',
    to: '',
  },
  {
    guard: 'the limits of frames',
    corpus: 'frames',
    file: `${DIALECTS}/realtime/caller-frame.ts`,
    from: 'rejectExceeded(scan, callerLimits)',
    to: '',
  },
]

/** Every guard whose removal the attack tests must detect. Add a line for every new guard. */
export const mutations: readonly Mutation[] = [
  ...bodyMutations,
  ...channelMutations.map((mutation) => ({ corpus: 'channel-writes', ...mutation })),
  ...credentialMutations.map((mutation) => ({ corpus: 'credential-routes', ...mutation })),
  ...entryMutations.map((mutation) => ({ corpus: 'entry|guesses', ...mutation })),
  ...socketMutations,
  ...spellingMutations.map((mutation) => ({ corpus: 'spellings', ...mutation })),
]
