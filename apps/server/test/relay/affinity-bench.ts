/**
 * `node apps/server/test/relay/affinity-bench.ts`: what session affinity adds to a bound call. It measures the
 * functions alone: finding the session, looking up its binding, choosing the bound channel and key, and noting that
 * they served; and noting the session of a stored response, and finding it by the response that a call continues.
 * CPU time, the best of several rounds.
 */
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { noUsage } from '@tollgate/dialects/usage'
import { openCipher } from '@tollgate/kit/cipher'
import { systemClock } from '@tollgate/kit/clock'
import { openAffinity } from '../../src/relay/affinity/affinity.ts'
import { affinityOf } from '../../src/relay/affinity/call-affinity.ts'
import { noteAffinity } from '../../src/relay/affinity/note-affinity.ts'
import { chat } from '../../src/relay/operations/index.ts'
import type { Outcome } from '../../src/relay/outcome.ts'
import { noteSession } from '../../src/relay/sessions/note-session.ts'
import { type NamedSession, openSessions } from '../../src/relay/sessions/sessions.ts'
import { drawChoice } from '../../src/relay/stations/route/route.ts'
import { KeyHealth } from '../../src/relay/stations/route/key-health.ts'
import { channelWith, heldWith, settingsWith } from './parts.ts'

const SESSIONS = 1_000
const CALLS = 200_000
const ROUNDS = 7
/** More than are remembered. */
const RESPONSES_MAX = 60_000

const keys = Array.from({ length: 5 }, (_, index) => `key-${index}`)
const channels = [1, 2, 3].map((id) => channelWith({ id, keys }))
const affinitySettings = {
  lifetimeMs: 3_600_000,
  shortMs: 300_000,
  isMoved: true,
  entriesMax: 100_000,
  rules: [],
}
const settings = settingsWith({ affinity: affinitySettings })
const ttlCache = (_name: string, options: Parameters<typeof memoryTtlCache>[0]) =>
  memoryTtlCache(options, systemClock)
const affinity = openAffinity({ ttlCache, clock: systemClock })
const sessions = openSessions(openCipher(Buffer.alloc(32, 7)), { ttlCache })
const health = new KeyHealth()
const app = { health, now: () => systemClock.monotonicMs(), random: Math.random }
const held = heldWith({ settings, candidates: { model: 'gpt-4o', tiers: [channels] } })
const ask = { ...held.ask, bytes: Buffer.alloc(8_192, 0x20) }
const route = { upstreamModel: 'm', channel: channels[0] ?? channelWith() }
const reading = {
  usage: noUsage,
  finish: undefined,
  outputTokensCounted: 0,
  hasOutput: true,
  isComplete: true,
  error: undefined,
}
const outcome: Outcome = { type: 'delivered', ending: 'complete', reading, ...route }

const CALLERS: Readonly<Record<string, (name: string) => Named>> = {
  'a header': (name: string) => ({ headers: { 'x-session-id': name, 'user-agent': 'x' }, body: {} }),
  'the metadata of Claude Code': (name: string) => ({
    headers: { 'user-agent': 'x' },
    body: {
      metadata: {
        user_id: `{"device_id":"${'d'.repeat(64)}","account_uuid":"","session_id":"${name}"}`,
      },
    },
  }),
}

const session = sessions.named(1, 'session')
const stored = { ...held, ask, session, operation: { ...held.operation, wire: 'responses' as const } }

type Named = Omit<NamedSession, 'ownerId'>

/** One call, as the stations make it. */
async function boundCall({ headers, body }: Named): Promise<boolean> {
  const found = sessions.find({ ownerId: 1, headers, body })
  const session = found instanceof Promise ? await found : found
  const question = {
    call: held.call,
    ask,
    operation: chat,
    session,
    groups: ['default'],
    settings,
    caller: held.caller,
  }
  const looked = affinityOf(question, { affinity, sessions })
  const known = looked instanceof Promise ? await looked : looked
  const admitted = { ...held, ask, session, affinity: known }
  const choice = drawChoice(admitted, () => true, app)
  if (choice === undefined) throw new Error('a channel is drawn')
  noteAffinity(admitted, choice, { outcome, affinity })
  return known?.bindings.size === 1
}

let responses = 0

/** A call that continues a stored response and names no other session. */
async function continuingCall({ headers }: Named): Promise<boolean> {
  const body = { previous_response_id: idOf(responses) }
  const found = sessions.find({ ownerId: 1, headers, body })
  return (found instanceof Promise ? await found : found) === session
}

/** What is noted after the answer. The memory of responses is full. */
async function notedCall(): Promise<boolean> {
  noteSession(stored, { reading: { ...reading, replyId: idOf(++responses) } }, sessions)
  return true
}

/** The bench itself. */
async function emptyCall(): Promise<boolean> {
  return idOf(++responses) !== '' && { ...reading, replyId: '' }.replyId === ''
}

function idOf(response: number): string {
  return `resp_${String(response).padStart(48, '0')}`
}

/** The same without affinity. */
async function freeCall(_named: Named): Promise<boolean> {
  const admitted = { ...held, ask, session: undefined, affinity: undefined }
  if (drawChoice(admitted, () => true, app) === undefined) throw new Error('a channel is drawn')
  return true
}

async function microsecondsOf(call: typeof boundCall, callers: readonly Named[]): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < CALLS; index++) {
    const named = callers[index % callers.length]
    if (named !== undefined) await call(named)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

async function best(call: typeof boundCall, callers: readonly Named[]): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await microsecondsOf(call, callers))
  return Math.min(...rounds)
}

process.stdout.write(`${availableParallelism()} CPUs, ${SESSIONS} sessions, µs a call\n`)
for (const [place, named] of Object.entries(CALLERS)) {
  const callers = Array.from({ length: SESSIONS }, (_, index) => named(`session-${index}`))
  for (const each of callers) await boundCall(each)
  const isBound = (await Promise.all(callers.map((each) => boundCall(each)))).every(Boolean)
  const bound = await best(boundCall, callers)
  const free = await best(freeCall, callers)
  process.stdout.write(
    `session in ${place}: ${(bound - free).toFixed(2)} (${bound.toFixed(2)} with, ${free.toFixed(2)} without), ${isBound ? 'all bound' : 'NOT ALL BOUND'}\n`,
  )
}
const callers = [{ headers: { 'user-agent': 'x' }, body: {} }]
for (let index = 0; index < RESPONSES_MAX; index++) await notedCall()
const empty = await best(emptyCall, callers)
const noted = (await best(notedCall, callers)) - empty
await notedCall()
const isFound = await continuingCall({ headers: {}, body: {} })
const found = (await best(continuingCall, callers)) - empty
process.stdout.write(
  `a stored response: ${found.toFixed(2)} to find its session, ${noted.toFixed(2)} to note it after the answer, ${isFound ? 'found' : 'NOT FOUND'}\n`,
)
