import { noUsage } from '@tollgate/dialects/usage'
import { expect, test } from 'vitest'
import { channelWith, defaultPrices, heldWith } from '../../../test/relay/parts.ts'
import { verdictOfProblem } from '../stations/attempt/verdict.ts'
import { CallMetrics, SERIES_MAX } from './call-metrics.ts'

const usage = { ...noUsage, inputText: 100, outputText: 41 }

function ended(metrics: CallMetrics, held = heldWith()) {
  const { call } = held
  call.firstByteAt = call.startedAt + 500
  const now = call.startedAt + 2_500
  const channel = channelWith({ id: 7 })
  metrics.ended(held, {
    call,
    channel,
    outcome: 'complete',
    usage,
    units: 325n,
    cost: 30n,
    isStream: true,
    now,
  })
}

test('a charged call adds to its series, with its amounts and durations', () => {
  const metrics = new CallMetrics()
  ended(metrics)
  expect([...metrics.ends.entries()]).toEqual([
    [['chat', 'gpt-4o', 7, 'default', 'complete'], { calls: 1, quota: 325, cost: 30 }],
  ])
  const [[labels, histograms] = []] = [...metrics.genAi.tree.entries()]
  expect(labels).toEqual(['chat', 'custom', 'gpt-4o'])
  expect(histograms).toMatchObject({ served: { sum: 2.5 }, first: { sum: 0.5 }, each: { sum: 0.05 } })
  expect(histograms).toMatchObject({ input: { sum: 100 }, output: { sum: 41 }, failed: { sum: 0 } })
})

test('a name without a price, which a caller can invent, is no label', () => {
  const metrics = new CallMetrics(['model'])
  for (let made = 0; made < 20; made++) {
    const query = { model: `invented-${made}`, group: 'default', acceptsUnpriced: true }
    const price = defaultPrices.find(query)
    if (price) ended(metrics, heldWith({ price }))
  }
  expect([...metrics.ends.entries()]).toEqual([
    [['other', 'complete'], { calls: 20, quota: 6500, cost: 600 }],
  ])
})

test('an error code that only the upstream knows is no label', () => {
  const metrics = new CallMetrics()
  metrics.attempted(heldWith(), 7, {
    ...verdictOfProblem('do_request_failed'),
    code: 'invented',
    status: 418,
  })
  metrics.attempted(heldWith(), 7, verdictOfProblem('do_request_failed'))
  metrics.attempted(heldWith(), 7)
  metrics.retried('invented')
  expect([...metrics.attempts.entries()].map(([labels]) => labels.slice(2))).toEqual([
    [418, 'upstream_error'],
    [verdictOfProblem('do_request_failed').status, 'do_request_failed'],
    [200, 'ok'],
  ])
  expect([...metrics.retries.entries()]).toEqual([[['upstream_error'], { count: 1 }]])
})

test('labels of users do not make more series than the limit', () => {
  const metrics = new CallMetrics(['user'])
  const held = heldWith()
  for (let id = 1; id <= SERIES_MAX + 50; id++)
    ended(metrics, { ...held, caller: { ...held.caller, owner: { ...held.caller.owner, id } } })
  const entries = [...metrics.ends.entries()]
  expect(entries).toHaveLength(SERIES_MAX)
  expect(entries.at(-1)).toMatchObject([['other', 'other'], { calls: 51 }])
})
