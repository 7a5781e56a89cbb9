import type { CheckpointInput, ExtendInput } from '@tollgate/ledger/inputs'
import type { ExtendResult } from '@tollgate/ledger/results'
import { noUsage } from '@tollgate/dialects/usage'
import { expect, test } from 'vitest'
import { heldWith, settingsWith } from '../../../../test/relay/parts.ts'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import { StreamMeter } from './stream-meter.ts'

// An input of 100 tokens costs 125 units and each output token 5 units; the hold pays for 500 output tokens.
function harness(input: {
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

test('the hold is doubled when 80 % of it is used, but never above the ceiling', async () => {
  const answers: ExtendResult[] = [
    { type: 'extended', held: 5_250n },
    { type: 'extended', held: 10_000n },
  ]
  const { meter, extended, settled } = harness({ answers })
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

test('in metered mode, output beyond the hold waits for the ledger', async () => {
  const { meter, extended, answered, settled } = harness({ answers: [{ type: 'extended', held: 10_000n }] })
  expect(meter.reached(395)).toBe('go-on')
  expect(meter.reached(500)).toBe('wait')
  expect(meter.reached(700)).toBe('wait')
  await settled()
  expect(answered).toEqual([Number.POSITIVE_INFINITY])
  expect([meter.reached(700), extended.length]).toEqual(['go-on', 1])
})

test('in lenient mode, output never waits for the ledger', () => {
  const { meter } = harness({ mode: 'lenient' })
  expect([meter.reached(395), meter.reached(1_000)]).toEqual(['go-on', 'go-on'])
})

test('in metered mode, a refused extension cuts the stream where the hold ends', async () => {
  const { meter, settled } = harness({})
  meter.reached(395)
  await settled()
  expect(meter.nextTokens).toBe(500)
  expect(meter.reached(499)).toBe('go-on')
  expect(meter.reached(500)).toBe('cut')
})

test('in lenient mode, a refused extension lets the stream go on up to the ceiling', async () => {
  const { meter, settled } = harness({ mode: 'lenient' })
  meter.reached(395)
  await settled()
  expect(meter.nextTokens).toBe(1_975)
  expect(meter.reached(1_975)).toBe('cut')
})

test('a hold at its ceiling is neither extended nor cut', () => {
  const { meter, extended } = harness({ mode: 'strict', units: 10_000n })
  expect(meter.reached(1_000_000)).toBe('go-on')
  expect(extended).toHaveLength(0)
})

test('checkpoints record the input first, then the counted output, at most every two seconds', () => {
  const { meter, checkpoints } = harness({})
  meter.checkpoint(0)
  meter.checkpointEvery(1_999, 10)
  meter.checkpointEvery(2_000, 20)
  meter.checkpointEvery(2_250, 30)
  meter.checkpointEvery(4_000, 40)
  expect(checkpoints.map(({ amount }) => amount)).toEqual([125n, 225n, 325n])
  expect(checkpoints[0]?.channelId).toBe(3)
})

test('the hold is enlarged when the upstream reports more input than was counted', async () => {
  const answers: ExtendResult[] = [{ type: 'extended', held: 50_000n }]
  const { meter, extended, checkpoints, settled } = harness({ ceiling: 100_000n, answers })
  expect(meter.reached(1)).toBe('go-on')
  meter.heardUsage({ ...noUsage, inputText: 20_000 })
  expect(meter.nextTokens).toBe(0)
  // 20,000 x 1.25 + 2 x 5 units, which is to be 80 % of the hold.
  expect(meter.reached(2)).toBe('wait')
  expect(extended.map(({ amount }) => amount)).toEqual([31_263n - 2_625n])
  await settled()
  expect(meter.reached(2)).toBe('go-on')
  meter.checkpoint(0, 2)
  expect(checkpoints.map(({ amount }) => amount)).toEqual([25_010n])
})

test('more input than the balance pays for cuts a metered stream but not a lenient one', async () => {
  for (const [mode, verdict] of [
    ['metered', 'cut'],
    ['lenient', 'go-on'],
  ] as const) {
    const { meter, settled } = harness({ mode, ceiling: 100_000n })
    meter.heardUsage({ ...noUsage, inputText: 20_000 })
    meter.reached(1)
    await settled()
    expect(meter.reached(2)).toBe(verdict)
  }
})

test('a usage report that is implausible or not above the count changes nothing', () => {
  const { meter } = harness({})
  meter.reached(1)
  for (const inputText of [100, 1e9, -1]) meter.heardUsage({ ...noUsage, inputText })
  expect(meter.nextTokens).toBe(395)
})
