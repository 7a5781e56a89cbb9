import { expect, test } from 'vitest'
import { samplerOf } from './sampler.ts'
import { newTraceIds, remoteParent } from './trace-ids.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('the trace of a caller is continued, with its state', () => {
  const parent = remoteParent({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=value' })
  expect(parent).toMatchObject({ isSampled: true, state: 'vendor=value' })
  const ids = newTraceIds(parent, () => 0.5)
  expect(ids.trace).toEqual([0x4bf9_2f35, 0x77b3_4da6, 0xa3ce_929d, 0x0e0e_4736])
  expect(ids.parent).toEqual([0x00f0_67aa, 0x0ba9_02b7])
})

test.each([
  undefined,
  '',
  'nonsense',
  `00-${TRACE}-${SPAN}`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
])('%s is no trace to continue', (traceparent) => {
  expect(remoteParent({ traceparent })).toBeUndefined()
})

test('no id is zero, whatever is drawn', () => {
  const { trace, high } = newTraceIds(undefined, () => 0)
  expect([trace[0], high]).toEqual([1, 1])
})

const sampled = remoteParent({ traceparent: `00-${TRACE}-${SPAN}-01` })
const unsampled = remoteParent({ traceparent: `00-${TRACE}-${SPAN}-00` })

test.each([
  ['parentbased_always_on', [true, true, false]],
  ['parentbased_always_off', [false, true, false]],
  ['parentbased_traceidratio', [false, true, false]],
  ['always_on', [true, true, true]],
  ['always_off', [false, false, false]],
  ['traceidratio', [false, true, true]],
] as const)('%s decides without a parent, with a sampled and an unsampled one', (tracesSampler, expected) => {
  const isSampled = samplerOf({ tracesSampler, tracesSamplerShare: 0.6 })
  const drawn = [undefined, sampled, unsampled].map((parent) => {
    const draws = [0.999_999]
    const random = () => draws.pop() ?? 0
    return isSampled({ ids: newTraceIds(parent, random), parent })
  })
  expect(drawn).toEqual(expected)
})

test('about the chosen share of traces is sampled', () => {
  const isSampled = samplerOf({ tracesSampler: 'traceidratio', tracesSamplerShare: 0.25 })
  let seed = 1
  const random = () => (seed = (seed * 48_271) % 0x7fff_ffff) / 0x7fff_ffff
  let count = 0
  for (let made = 0; made < 4_000; made++)
    if (isSampled({ ids: newTraceIds(undefined, random), parent: undefined })) count++
  expect(count / 4_000).toBeCloseTo(0.25, 1)
})
