import { accountId } from '@tollgate/ledger/account'
import { answeringServers } from '@tollgate/testkit/databases'
import { expect, test } from 'vitest'
import { faultFloor, openRandom, seedOfRun } from '../relay/random.ts'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { billRules } from '../relay/vendor-bills.ts'
import { type BillSizes, type PlannedCall, planCalls } from './plans.ts'
import { moments } from './vendors/plan.ts'
import { vendorRules } from './vendors/rules.ts'
import { type BillingVendor, openBillingVendor } from './vendors/vendor.ts'

/**
 * Vendors that bill by their own documents, with callers who leave, vendors who fail, models that take over and
 * further steps: the books of the gateway equal the bill to the unit, except for rows that say so.
 */

const SIZES: Readonly<Record<'short' | 'long', BillSizes>> = {
  short: { calls: 400, leavers: 12, fallbacks: 15, iterations: 15, fees: 2 },
  long: { calls: 10_000, leavers: 300, fallbacks: 300, iterations: 200, fees: 150 },
}
const sizes = SIZES[faultFloor({ short: 0, long: 1 }) === 1 ? 'long' : 'short']
const AT_ONCE = 16
/** Large requests at a time; together they stay within the budget of bodies. */
const LARGE_AT_ONCE = 3
/** Calls of a user, of whom no more than eight may go on without their caller. */
const CALLS_OF_USER = 6
/** Flags of rows that may differ from the bill; each says why. */
const DECLARED = ['estimated', 'partial', 'cut', 'waived', 'served_other', 'usage_mended', 'fee_unknown']

const databases = [{ label: 'SQLite', createMigrated: undefined }, ...(await answeringServers())]

test.each(databases)(
  `${sizes.calls} calls on $label: the books equal the bills of the vendors to the unit`,
  async ({ label, createMigrated }) => {
    const seed = seedOfRun()
    const random = openRandom(seed)
    const database = await createMigrated?.()
    const vendor = await openBillingVendor()
    const harness = await openRelayHarness({
      random: () => random.next(),
      ...(database !== undefined && { dsn: database.dsn }),
    })
    await prepare(harness, vendor)
    const calls = planCalls(sizes, random)
    const bearers = await addCallers(harness, calls.length)
    const runner = { harness, vendor, left: 0 }
    await inParallel(calls.filter(isLarge), LARGE_AT_ONCE, (call) => runCall(call, bearers, runner))
    await inParallel(
      calls.filter((call) => !isLarge(call)),
      AT_ONCE,
      (call) => runCall(call, bearers, runner),
    )
    await harness.quiet()
    const tally = await compare(harness, { vendor, calls, bearers })
    const { findings } = await harness.ledger.audit()
    const bugs = harness.said.filter(({ level }) => level === 'error')
    const holds = await harness.openHolds()
    await harness.close()
    await vendor.close()
    await database?.drop()
    console.log(`${label}, seed ${seed}: ${JSON.stringify(tally, writeBigInts)}`)
    expect({ findings, holds, bugs, wrong: tally.wrong }).toEqual({
      findings: [],
      holds: 0,
      bugs: [],
      wrong: [],
    })
    expect(tally.exact + tally.free + tally.declared).toBe(sizes.calls)
    expect(tally.declared).toBeLessThanOrEqual(sizes.calls / 100)
    for (const [reason, count] of Object.entries(tally.reasons))
      expect([reason, count <= sizes.calls / 200]).toEqual([reason, true])
    for (const moment of moments) expect(tally.left[moment]).toBe(sizes.leavers)
    const fee = sizes.fees * billRules.length
    expect(tally.kinds).toMatchObject({ fallback: sizes.fallbacks, iterations: sizes.iterations, fee })
  },
  1_200_000,
)

test('each rule of a bill names its document and the day on which it was read', () => {
  for (const { name, document, date } of Object.values(vendorRules)) {
    expect([name, /^https:\/\/\S+$/.test(document), /^\d{4}-\d\d-\d\d$/.test(date)]).toEqual([
      name,
      true,
      true,
    ])
  }
})

function writeBigInts(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

const isLarge = ({ plan }: PlannedCall): boolean => plan.leaveAt === 'unread'

async function prepare(harness: RelayHarness, { url }: BillingVendor): Promise<void> {
  const feeRatios = Object.fromEntries(billRules.map(({ model }) => [model, 1]))
  const ratios = {
    ModelRatio: {
      ...feeRatios,
      'gpt-4o': 1.25,
      'claude-haiku-4-5': 0.5,
      'claude-opus-4-5': 2.5,
      'gemini-2.5-flash': 0.15,
    },
    CompletionRatio: {
      ...feeRatios,
      'gpt-4o': 4,
      'claude-haiku-4-5': 5,
      'claude-opus-4-5': 5,
      'gemini-2.5-flash': 10,
    },
    CacheRatio: { 'gpt-4o': 0.5, 'claude-haiku-4-5': 0.1, 'claude-opus-4-5': 0.1, 'gemini-2.5-flash': 0.1 },
    CreateCacheRatio: { 'claude-haiku-4-5': 1.25, 'claude-opus-4-5': 1.25 },
    CreateCache1hRatio: { 'claude-haiku-4-5': 2, 'claude-opus-4-5': 2 },
    ModelPrice: { 'bill-picture': 0.04 },
  }
  for (const [key, value] of Object.entries(ratios)) await harness.setOption(key, JSON.stringify(value))
  await harness.setOption('RetryTimes', '2')
  for (let copy = 0; copy < 2; copy++) {
    await harness.addChannel(url, { type: 1, models: 'gpt-4o,bill-picture' })
    await harness.addChannel(url, { type: 14, models: 'claude-haiku-4-5,claude-opus-4-5' })
    await harness.addChannel(url, { type: 24, models: 'gemini-2.5-flash' })
    for (const { model, vendorModel, channelType: type } of billRules)
      await harness.addChannel(url, {
        type,
        models: model,
        setting: '{"stored_context":true}',
        ...(vendorModel !== undefined && { model_mapping: JSON.stringify({ [model]: vendorModel }) }),
      })
  }
  // The list prices of the vendors count, not those that an operator set.
  await harness.setOption('ToolPrices', '{}')
  await harness.setOption('ListedFeesCharged', 'true')
}

interface CallToken {
  readonly tokenId: number
  readonly bearer: string
}

/** One token for each call, so that its entry can be found. */
async function addCallers(harness: RelayHarness, count: number): Promise<readonly CallToken[]> {
  const tokens: CallToken[] = []
  const users = Array.from({ length: Math.ceil(count / CALLS_OF_USER) }, (_value, at) => at)
  await inParallel(users, 8, async (at) => {
    const userId = await harness.addUser({ quota: 1_000_000_000n })
    for (let index = at * CALLS_OF_USER; index < Math.min(count, (at + 1) * CALLS_OF_USER); index++) {
      const { id, bearer } = await harness.addToken(userId)
      tokens[index] = { tokenId: id, bearer }
    }
  })
  return tokens
}

interface Runner {
  readonly harness: RelayHarness
  readonly vendor: BillingVendor
  left: number
}

async function runCall(
  { tag, plan, send }: PlannedCall,
  tokens: readonly CallToken[],
  runner: Runner,
): Promise<void> {
  const { harness, vendor } = runner
  const bearer = tokens[Number(tag)]?.bearer ?? ''
  vendor.plan(tag, plan)
  if (plan.leaveAt === undefined) return void (await harness.send({ ...send, bearer }))
  await harness.send({ ...send, bearer, leaveOnce: vendor.waits(tag) })
  await harness.noticed(++runner.left)
  vendor.goOn(tag)
}

interface Compared {
  readonly vendor: BillingVendor
  readonly calls: readonly PlannedCall[]
  readonly bearers: readonly CallToken[]
}

async function compare(harness: RelayHarness, { vendor, calls, bearers }: Compared) {
  const entries = new Map((await harness.entries()).map((entry) => [entry.token_acct, entry]))
  const tally = {
    exact: 0,
    free: 0,
    declared: 0,
    units: 0n.toString(),
    reasons: {} as Record<string, number>,
    kinds: { plain: 0, fallback: 0, iterations: 0, fee: 0 },
    fees: 0,
    left: Object.fromEntries(moments.map((moment) => [moment, 0])),
    wrong: [] as unknown[],
    requests: vendor.requests,
  }
  let units = 0n
  for (const { tag, kind, plan } of calls) {
    const entry = entries.get(accountId('token', bearers[Number(tag)]?.tokenId ?? 0))
    const billed = vendor.bill.get(tag) ?? 0n
    const charged = entry?.amount ?? 0n
    const flags = (entry?.flags ?? '').split(',').filter((flag) => DECLARED.includes(flag))
    tally.kinds[kind]++
    units += charged
    if (plan.leaveAt !== undefined) tally.left[plan.leaveAt] = (tally.left[plan.leaveAt] ?? 0) + 1
    if (charged === billed && flags.length === 0) tally[billed === 0n ? 'free' : 'exact']++
    else if (flags.length > 0) {
      tally.declared++
      const reason = flags.join(',')
      tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1
    } else tally.wrong.push({ tag, kind, plan, charged: String(charged), billed: String(billed) })
  }
  const fees = new Set(calls.flatMap(({ fee }) => fee ?? []))
  return { ...tally, fees: fees.size, units: String(units) }
}

async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
