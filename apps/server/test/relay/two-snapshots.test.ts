import { chargeUnits } from '@tollgate/billing/charge'
import { priceFromJson, recompute } from '@tollgate/billing/recompute'
import { noUsage } from '@tollgate/dialects/usage'
import type { CallRecord, RecordFault } from '@tollgate/testkit/call-records'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import { expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { faultFloor, openRandom, seedOfRun, type Random } from './random.ts'
import type { SendInput } from './send.ts'

/**
 * Runs the gateway against an upstream that fails in every way the test kit offers, with callers who
 * disconnect at random. Afterwards the upstream's record of what it delivered is compared with the ledger:
 * they may differ only in flagged rows.
 */

const faults: Partial<Record<RecordFault, number>> = {
  'status-400': 20,
  'status-401': 15,
  'status-429': 20,
  'status-500': 30,
  'status-503': 20,
  html: 10,
  garbage: 10,
  empty: 10,
  hang: 4,
  'reset-before-head': 15,
  'reset-after-head': 15,
  'half-frame': 25,
  'error-inside': 15,
  'error-mid-stream': 20,
  'usage-missing': 25,
  'usage-insane': 20,
  'usage-early': 20,
  slow: 20,
}

/** With these faults the upstream still reports a true usage. */
const honest: ReadonlySet<RecordFault | undefined> = new Set([undefined, 'slow', 'usage-early'])

const calls = faultFloor({ short: 750, long: 10_000 })
const AT_ONCE = 24

test(`${calls} calls with random outcomes: ledger and upstream record differ only in flagged rows`, async () => {
  const seed = seedOfRun()
  const random = openRandom(seed)
  const upstream = await startFakeUpstream({ faults: { seed, perMille: faults } })
  const harness = await openRelayHarness({
    random: () => random.next(),
    // Long enough that a busy machine is not mistaken for a silent upstream.
    limits: { firstByteMs: 10_000, drainMs: 10_000, idleMs: 10_000 },
  })
  await prepare(harness, upstream)
  const callers = await addCallers(harness, calls)
  await inParallel(callers, AT_ONCE, (caller, i) => harness.send(randomCall(caller, i, random)))
  await harness.quiet()
  const tally = await compare(harness, upstream, callers)
  const { findings } = await harness.ledger.audit()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  const holds = await harness.openHolds()
  await harness.close()
  await upstream.close()
  console.log(`seed ${seed}: ${JSON.stringify(tally)}`)
  expect({ findings, holds, bugs }).toEqual({ findings: [], holds: 0, bugs: [] })
  expect(tally.released + tally.exact + tally.flagged).toBe(calls)
  expect(tally.exact).toBeGreaterThan(calls / 2)
  expect(tally.flagged).toBeGreaterThan(calls / 50)
}, 600_000)

interface Caller {
  readonly tokenId: number
  readonly bearer: string
}

async function prepare(harness: RelayHarness, { url }: FakeUpstream): Promise<void> {
  await harness.setOption('RetryTimes', '2')
  for (let i = 0; i < 4; i++) await harness.addChannel(url, { priority: i % 2, weight: i })
}

/** One token for each call, so that each ledger entry can be matched to its call. */
async function addCallers(harness: RelayHarness, count: number): Promise<readonly Caller[]> {
  const userId = await harness.addUser({ quota: 10_000_000_000n })
  const callers: Caller[] = []
  const places = Array.from({ length: count }, (_value, i) => i)
  await inParallel(places, 64, async (i) => {
    const { id, bearer } = await harness.addToken(userId)
    callers[i] = { tokenId: id, bearer }
  })
  return callers
}

function randomCall({ bearer, tokenId }: Caller, number: number, random: Random): SendInput {
  const body = {
    model: 'gpt-4o',
    user: String(tokenId),
    messages: [{ role: 'user', content: `call ${number} `.repeat(random.below(20)) }],
    metadata: { tokens: String(1 + random.below(60)), delay_ms: String(random.below(4)) },
    ...(random.below(2) === 0 && { stream: true }),
    ...(random.below(3) === 0 && { stream_options: { include_usage: true } }),
    ...(random.below(3) === 0 && { max_tokens: 1 + random.below(80) }),
  }
  return { bearer, body, ...manners(random) }
}

function manners(random: Random): Partial<SendInput> {
  const kind = random.below(10)
  if (kind === 0) return { leaveAfterMs: random.below(60) }
  if (kind === 1) {
    const length = 1 + random.below(3_000)
    return { leaveWhen: (text) => text.length >= length }
  }
  return {}
}

async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<unknown>,
) {
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item !== undefined) await act(item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function compare(harness: RelayHarness, { book }: FakeUpstream, callers: readonly Caller[]) {
  const entries = new Map((await harness.entries()).map((entry) => [accountOwner(entry.token_acct), entry]))
  const rows = Map.groupBy(await harness.logs(), (row) => row.token_id)
  const delivered = Map.groupBy(book, ({ tag }) => Number(tag))
  const tally = { exact: 0, flagged: 0, released: 0, attempts: book.length }
  for (const { tokenId } of callers) {
    const entry = entries.get(tokenId)
    const billable = (delivered.get(tokenId) ?? []).filter(isBillable)
    // A call whose caller disconnected before the gateway had read it leaves no row at all.
    expect(rows.get(tokenId)?.length ?? 0, `rows of call ${tokenId}`).toBeLessThanOrEqual(1)
    // The charge must be reproducible from the price and usage in its entry.
    if (entry) {
      const again = recompute(entry.price_json ?? '', entry.usage_json ?? '')
      expect(again, `receipt of call ${tokenId}`).toBe(entry.amount + entry.waived)
    }
    if (entry === undefined) {
      tally.released++
      expect(billable, `call ${tokenId} was answered and not charged`).toEqual([])
    } else if (entry.flags === '' || entry.flags === 'client_gone') {
      tally.exact++
      const charged = billable.length > 0 ? billable : (delivered.get(tokenId) ?? []).filter(isCutAtEnd)
      expect(charged, `call ${tokenId} was charged for what the upstream did not deliver`).toHaveLength(1)
      expect(entry.amount, `charge of call ${tokenId}`).toBe(priceOf(entry.price_json, charged[0]))
    } else {
      tally.flagged++
      expect(entry.amount).toBeGreaterThan(0n)
    }
  }
  return tally
}

/**
 * A stream is settled when its usage is known. A caller who leaves after that has the upstream cut off before
 * its last bytes; the charge must still be that of all tokens in the upstream's record.
 */
function isCutAtEnd({ isComplete, isStream, status, fault }: CallRecord): boolean {
  return !isComplete && isStream && status === 200 && honest.has(fault)
}

function isBillable({ isComplete, isStream, status, fault }: CallRecord): boolean {
  // A complete response has no middle to fail in.
  const isHonest = honest.has(fault) || (fault === 'error-mid-stream' && !isStream)
  return isComplete && status === 200 && isHonest
}

function priceOf(priceJson: string | null, entry: CallRecord | undefined): bigint {
  const { promptTokens = 0, deliveredTokens = 0 } = entry ?? {}
  const usage = { ...noUsage, inputText: promptTokens, outputText: deliveredTokens }
  return chargeUnits(priceFromJson(priceJson ?? ''), usage)
}

/** An account id is its owner's id times four, plus the kind. */
function accountOwner(account: number | null): number {
  return Math.floor((account ?? 0) / 4)
}
