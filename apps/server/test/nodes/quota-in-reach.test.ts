import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@tollgate/contract/client'
import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import { answeringServers } from '@tollgate/testkit/databases'
import { afterAll, expect, it, vi } from 'vitest'
import { type Customer, type LimitedToken, type LoadCounts, QuotaLoad } from './quota-load.ts'
import { type StalledPlace, openStalledFile, openStalledServer } from './stalled-place.ts'

/**
 * Calls that cost more than their hold, adjustments every 20 ms, a price a thousand times the usual one, and a database
 * that stands still again and again, also between a commit and its answer. Afterwards every account spends all it has.
 */

const isLong = process.env['TOLLGATE_FAULTS'] === 'long'
const CUSTOMERS = isLong ? 6 : 2
/** Of each place; the two places of a store have ten minutes and twelve stalls together. */
const STALLS = isLong ? 6 : 1
const LOAD_MS = isLong ? 300_000 : 7_000
/** A caller is refused after 5 seconds; what is granted to it later must not get lost. */
const STALL_MS = isLong ? 10_000 : 5_500
const QUIET_MS = isLong ? 5_000 : 1_500
const USER_REST = 70
const TOKEN_REST = 40
const FLOOR = isLong
  ? { aboveHold: 2_000, recalled: 300, lostGrants: 12 }
  : { aboveHold: 20, recalled: 5, lostGrants: 1 }

interface Store {
  readonly label: string
  readonly places: readonly { readonly label: string; readonly open: () => Promise<StalledPlace> }[]
}

const file: Store = {
  label: 'SQLite',
  places: [
    { label: 'one process', open: () => openStalledFile({ workers: 1 }) },
    { label: 'two workers', open: () => openStalledFile({ workers: 2 }) },
  ],
}
const servers: readonly Store[] = (await answeringServers()).map((server) => ({
  label: server.label,
  places: [1, 2].map((nodes) => ({
    label: nodes === 1 ? 'one node' : 'two nodes',
    open: () => openStalledServer(server, { nodes }),
  })),
}))
/** The short form: the usual installation, and two nodes over the first server. */
const short = [
  { ...file, places: file.places.slice(0, 1) },
  ...servers.slice(0, 1).map((store) => ({ ...store, places: store.places.slice(1) })),
]
const only = process.env['TOLLGATE_ONLY_STORE']
const stores = (isLong ? [file, ...servers] : short).filter(
  ({ label }) => only === undefined || label === only,
)

type Counts = LoadCounts & { readonly lostGrants: number; readonly mended: number }

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

it.each(stores)(
  'all quota is in reach after a stalled $label',
  { timeout: 3_600_000 },
  async ({ label, places }) => {
    const all = await Promise.all(places.map((place) => playAt(`${label}, ${place.label}`, place.open)))
    const sumOf = (name: keyof Counts): number => all.reduce((sum, counts) => sum + counts[name], 0)
    for (const name of ['aboveHold', 'recalled', 'lostGrants'] as const)
      expect({ name, count: sumOf(name) }).toSatisfy(({ count }) => count >= FLOOR[name])
    expect(sumOf('mended')).toBe(0)
  },
)

async function playAt(name: string, open: () => Promise<StalledPlace>): Promise<Counts> {
  const place = await open()
  closing.push(() => place.close())
  const load = await QuotaLoad.open(place)
  closing.push(() => load.close())
  await load.addCustomers(CUSTOMERS)
  load.start()
  let lostGrants = 0
  for (let stall = 0; stall < STALLS; stall++) {
    await sleep(Math.max(1_000, LOAD_MS / STALLS - STALL_MS))
    lostGrants += await stallWithGrant(place, load, stall)
  }
  await sleep(2_000)
  await load.stop()
  await vi.waitUntil(async () => (await place.metricOf('ledger_writable')) >= 1, { timeout: 60_000 })
  await sleep(QUIET_MS)
  await expectInReach(place)
  const units = await spendAll(place, load)
  for (const [verb, words] of [
    ['audit', 'The books balance.'],
    ['recompute', ''],
  ] as const) {
    const { code, printed } = await place.run(verb)
    expect({ verb, code, printed }).toMatchObject({ verb, code: 0, printed: expect.stringContaining(words) })
  }
  const mended = await place.metricOf('allotment_mended_total')
  const counts = { ...load.counts, lostGrants, mended }
  // A difference that was mended cost nobody anything, but is a fault: its amounts help to find it.
  for (const line of place.readMended()) console.log(`${name}: ${line}`)
  console.log(`${name}: ${STALLS} stalls, ${JSON.stringify(counts)}, ${units} units spent, 0 refused`)
  return counts
}

/** The first call of a new token is granted quota, but nobody hears of it in time. Returns how often that was so. */
async function stallWithGrant(place: StalledPlace, load: QuotaLoad, stall: number): Promise<number> {
  const customer = load.customers[stall % load.customers.length]
  if (customer === undefined) throw new Error('there are customers')
  for (let tries = 1; ; tries++) {
    const token = await addTokenSoon(load, customer)
    const call = await load.pause(async () => {
      place.begin()
      const begun = beginCall(load, token.key)
      if (place.losesAnswers) await isLost(place, begun, token.id)
      return begun
    })
    const isGranted = place.losesAnswers && (await isLost(place, call, token.id))
    // The commit without an answer was that of another transaction.
    if (place.losesAnswers && !isGranted && tries < TRIES_MAX) {
      await place.endAfter(0)
      await call.ended
      continue
    }
    await place.endAfter(STALL_MS)
    await call.ended
    if (place.losesAnswers) return isGranted ? 1 : 0
    // The request waits for the lock longer than its caller.
    return call.status() === 503 && (await isGrantedSoon(place, token.id)) ? 1 : 0
  }
}

const TRIES_MAX = 15

/** On a slow machine the ledger may still be out of reach after the stall before; tokens are refused meanwhile. */
function addTokenSoon(load: QuotaLoad, customer: Customer): Promise<LimitedToken> {
  return vi.waitUntil(() => load.addToken(customer, 500).catch(whenUnavailable), {
    timeout: 60_000,
    interval: 500,
  })
}

function whenUnavailable(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 503) return undefined
  throw error
}

interface BegunCall {
  /** `undefined` while it has no answer. */
  readonly status: () => number | undefined
  readonly ended: Promise<void>
}

function beginCall(load: QuotaLoad, key: string): BegunCall {
  let status: number | undefined
  const ended = load.callOnce(key).then((answer) => void (status = answer))
  return { status: () => status, ended }
}

/** Whether the token's quota is set aside while its call has no answer. Waits a moment for that. */
async function isLost(place: StalledPlace, { status }: BegunCall, token: number): Promise<boolean> {
  for (let look = 0; look < 100 && status() === undefined; look++) {
    if (await isGranted(place, token)) return status() === undefined
    await sleep(20)
  }
  return false
}

async function isGranted(place: StalledPlace, token: number): Promise<boolean> {
  const rows = await place.query(
    `select account_id from allotment where account_id = ${accountId('token', token)}`,
  )
  return rows.length > 0
}

function isGrantedSoon(place: StalledPlace, token: number): Promise<boolean> {
  return vi.waitUntil(() => isGranted(place, token), { timeout: 20_000 }).catch(() => false)
}

/** Without calls in flight, what is set aside for a process is free there. */
async function expectInReach(place: StalledPlace): Promise<void> {
  const rows = await place.query('select account_id, amount, free from allotment where amount <> free')
  expect(rows).toEqual([])
}

/** Leaves every account a small rest, which calls of one unit then spend. Returns how many those were. */
async function spendAll(place: StalledPlace, load: QuotaLoad): Promise<number> {
  const caughtUp = () =>
    vi.waitUntil(async () => (await place.metricOf('ledger_unfolded_bytes')) === 0, { timeout: 60_000 })
  const restOf = async (kind: 'user' | 'token', id: number): Promise<number> => {
    await caughtUp()
    return load.restOf(kind, id)
  }
  let units = 0
  for (const customer of load.customers) {
    const { id, visitor, limited } = customer
    for (const token of limited) {
      await load.change(customer, USER_REST - (await restOf('user', id)))
      const body = { id: token.id, remain_quota: TOKEN_REST }
      await visitor.call(routes.token.update, { body })
      const expected = Math.min(await restOf('user', id), await restOf('token', token.id))
      expect({ token: token.id, served: await load.spend(token.key) }).toEqual({
        token: token.id,
        served: expected,
      })
      units += expected
    }
    const rest = await restOf('user', id)
    expect({ user: id, served: await load.spend(customer.unlimitedKey) }).toEqual({ user: id, served: rest })
    units += rest
  }
  return units
}
