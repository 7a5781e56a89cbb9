import type { CheckpointInput, ExtendInput, ExtendResult } from '@tollgate/ledger/ledger'
import { noUsage } from '@tollgate/dialects/usage'
import { expect, test } from 'vitest'
import { heldWith, settingsWith } from '../../../test/relay/parts.ts'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import { StreamMeter } from './stream-meter.ts'

// Input 100 tokens = 125 units, each output token 5 units; the hold pays for 500 output tokens.
function bench(input: {
  mode?: RelaySettings['holdMode']
  units?: bigint
  ceiling?: bigint
  answers?: ExtendResult[]
}) {
  const extended: ExtendInput[] = []
  const answered: number[] = []
  const checkpoints: CheckpointInput[] = []
  const answers = input.answers ?? []
  const held = heldWith({
    units: input.units ?? 2_625n,
    ceiling: input.ceiling ?? 10_000n,
    settings: settingsWith({ holdMode: input.mode ?? 'metered' }),
  })
  const meter = new StreamMeter({
    held,
    channelId: 3,
    onError: () => undefined,
    ledger: {
      extend: async (asked) => {
        extended.push(asked)
        return answers.shift() ?? { type: 'refused' }
      },
      checkpoint: async (asked) => void checkpoints.push(asked),
    },
  })
  meter.waiter = { resume: () => void answered.push(meter.nextTokens) }
  return {
    meter,
    extended,
    answered,
    checkpoints,
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('the hold is enlarged at 80 %, by as much again, and never above the ceiling', async () => {
  const answers: ExtendResult[] = [
    { type: 'extended', held: 5_250n },
    { type: 'extended', held: 10_000n },
  ]
  const { meter, extended, settled } = bench({ answers })
  expect(meter.reached(394)).toBe('go-on')
  expect(extended).toHaveLength(0)
  expect(meter.nextTokens).toBe(395)
  expect(meter.reached(395)).toBe('go-on')
  expect(meter.reached(499)).toBe('go-on')
  expect(extended.map(({ amount }) => amount)).toEqual([2_625n])
  await settled()
  expect(meter.nextTokens).toBe(815)
  meter.reached(815)
  await settled()
  expect(extended.map(({ amount }) => amount)).toEqual([2_625n, 4_750n])
  expect(meter.nextTokens).toBe(Number.POSITIVE_INFINITY)
})

test('metered: what is not held yet is not handed on while the ledger is asked', async () => {
  const { meter, extended, answered, settled } = bench({ answers: [{ type: 'extended', held: 10_000n }] })
  expect(meter.reached(395)).toBe('go-on')
  expect(meter.reached(500)).toBe('wait')
  expect(meter.reached(700)).toBe('wait')
  await settled()
  expect(answered).toEqual([Number.POSITIVE_INFINITY])
  expect([meter.reached(700), extended.length]).toEqual(['go-on', 1])
})

test('lenient: nobody waits for an answer that changes nothing', () => {
  const { meter } = bench({ mode: 'lenient' })
  expect([meter.reached(395), meter.reached(1_000)]).toEqual(['go-on', 'go-on'])
})

test('metered: refused, the stream goes on for what is held and is cut there', async () => {
  const { meter, settled } = bench({})
  meter.reached(395)
  await settled()
  expect(meter.nextTokens).toBe(500)
  expect(meter.reached(499)).toBe('go-on')
  expect(meter.reached(500)).toBe('cut')
})

test('lenient: refused, the stream goes on up to the ceiling', async () => {
  const { meter, settled } = bench({ mode: 'lenient' })
  meter.reached(395)
  await settled()
  expect(meter.nextTokens).toBe(1_975)
  expect(meter.reached(1_975)).toBe('cut')
})

test('with the ceiling held there is nothing to enlarge and nothing to cut', () => {
  const { meter, extended } = bench({ mode: 'strict', units: 10_000n })
  expect(meter.reached(1_000_000)).toBe('go-on')
  expect(extended).toHaveLength(0)
})

test('checkpoints: the input at first, then what was counted, at most every two seconds', () => {
  const { meter, checkpoints } = bench({})
  meter.checkpointFirst(0)
  meter.checkpointEvery(1_999, 10)
  meter.checkpointEvery(2_000, 20)
  meter.checkpointEvery(2_250, 30)
  meter.checkpointEvery(4_000, 40)
  expect(checkpoints.map(({ amount }) => amount)).toEqual([125n, 225n, 325n])
  expect(checkpoints[0]?.channelId).toBe(3)
})

test('an upstream that reports a larger input than was counted enlarges the hold by what it costs', async () => {
  const answers: ExtendResult[] = [{ type: 'extended', held: 50_000n }]
  const { meter, extended, checkpoints, settled } = bench({ ceiling: 100_000n, answers })
  expect(meter.reached(1)).toBe('go-on')
  meter.heardUsage({ ...noUsage, inputText: 20_000 })
  expect(meter.nextTokens).toBe(0)
  // 20,000 x 1.25 + 2 x 5, as 80 % of what is held.
  expect(meter.reached(2)).toBe('wait')
  expect(extended.map(({ amount }) => amount)).toEqual([31_263n - 2_625n])
  await settled()
  expect(meter.reached(2)).toBe('go-on')
  meter.checkpointFirst(0, 2)
  expect(checkpoints.map(({ amount }) => amount)).toEqual([25_010n])
})

test('a larger input that the balance does not pay for cuts a metered stream, and no lenient one', async () => {
  for (const [mode, verdict] of [
    ['metered', 'cut'],
    ['lenient', 'go-on'],
  ] as const) {
    const { meter, settled } = bench({ mode, ceiling: 100_000n })
    meter.heardUsage({ ...noUsage, inputText: 20_000 })
    meter.reached(1)
    await settled()
    expect(meter.reached(2)).toBe(verdict)
  }
})

test('a report that is no count, or no more than was counted, changes nothing', () => {
  const { meter } = bench({})
  meter.reached(1)
  for (const inputText of [100, 1e9, -1]) meter.heardUsage({ ...noUsage, inputText })
  expect(meter.nextTokens).toBe(395)
})
