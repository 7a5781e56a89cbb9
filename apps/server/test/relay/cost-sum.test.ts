import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMixChannels, drawCall, mixPrices, mixVendor, reportedUnits } from './cost-mix.ts'
import { faultFloor, openRandom, seedOfRun } from './random.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

const CALLS = faultFloor({ short: 400, long: 10_000 })
const CALLERS = 8
const PAID = 1_000_000_000n

let harness: RelayHarness
let upstream: ScriptedUpstream
const seed = seedOfRun()
const random = openRandom(seed)

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream(mixVendor(random))
  await harness.setOption('billing_setting.report_cost', 'usage')
  await harness.setOption('ModelPrice', JSON.stringify(mixPrices))
  await harness.setOption('GroupRatio', JSON.stringify({ default: 1.37 }))
  await addMixChannels(harness, upstream.url)
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

test(`the costs reported for ${CALLS} mixed calls add up to the ledger, to the unit`, async () => {
  const caller = await harness.addCaller({ quota: PAID })
  const reported = new Map<string, bigint>()
  const found = { answer: 0, generation: 0, nowhere: 0 }
  let left = CALLS
  const callOn = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await harness.send(drawCall(random, caller.bearer))
      if (answer.isCutOff) await harness.quiet()
      const { units, where } = await reportedUnits(harness, answer, caller.bearer)
      reported.set(String(answer.headers['x-request-id']), units)
      found[where]++
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, callOn))
  await harness.quiet()
  const entries = await harness.entries()
  const charged = new Map(entries.map(({ request_id: id, amount }) => [String(id), amount]))
  const wrong = [...reported].filter(([id, units]) => units !== (charged.get(id) ?? 0n))
  expect({ seed, wrong }).toEqual({ seed, wrong: [] })
  const sum = [...reported.values()].reduce((total, units) => total + units, 0n)
  const balance = await harness.balance(caller.userId)
  expect({ seed, sum, calls: reported.size }).toEqual({ seed, sum: balance?.used, calls: CALLS })
  expect(balance?.remaining).toBe(PAID - sum)
  console.info(
    `seed ${seed}: ${CALLS} calls, ${entries.length} charged ${sum} units; found ${JSON.stringify(found)}`,
  )
  expect(Math.min(found.answer, found.generation, found.nowhere)).toBeGreaterThan(CALLS / 100)
})
