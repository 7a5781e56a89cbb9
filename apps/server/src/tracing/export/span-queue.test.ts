import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SpanBatch } from '../otlp/span-batch.ts'
import { INTERNAL, type Span } from '../span.ts'
import { LossLog } from './loss-log.ts'
import { type QueueLimits, SpanQueue } from './span-queue.ts'

const limits = {
  batchSpansMax: 4,
  queueSpansMax: 8,
  batchBytesMax: 1_000,
  queueBytesMax: 1_000,
  delayMs: 1_000,
}
const ids = { trace: [1, 2, 3, 4], high: 1, low: 1, parent: undefined, state: undefined } as const
const span: Span = {
  ids,
  shape: { name: 'call', kind: INTERNAL, isFailed: false, attributes: [], slots: [] },
  index: 0,
  startMs: 0,
  endMs: 1,
  values: [],
}

/** Counts spans, one byte each. */
class CountingBatch implements SpanBatch {
  readonly contentType = 'counted'
  count = 0
  get bytes(): number {
    return this.count
  }
  add(): void {
    this.count++
  }
  finish(): Uint8Array {
    return new Uint8Array(this.count)
  }
  clear(): void {
    this.count = 0
  }
}

function open(answers: (string | undefined | Promise<undefined>)[] = [], own: Partial<QueueLimits> = {}) {
  const sent: number[] = []
  const lines: unknown[] = []
  const queue = new SpanQueue({
    newBatch: () => new CountingBatch(),
    collector: {
      send: async (body) => {
        sent.push(body.length)
        return answers.shift()
      },
      close: async () => undefined,
    },
    losses: new LossLog({ warn: (fields: object) => void lines.push(fields) }, () => 0),
    limits: { ...limits, ...own },
  })
  const call = (spans: number) => queue.add(Array.from({ length: spans }, () => span))
  return { queue, sent, lines, call }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('spans are sent when a batch is full, and the rest after the delay', async () => {
  const { sent, call } = open()
  call(3)
  call(1)
  expect(sent).toEqual([])
  call(2)
  expect(sent).toEqual([4])
  await vi.advanceTimersByTimeAsync(limits.delayMs)
  expect(sent).toEqual([4, 2])
})

test('one request follows the other, and spans beyond the queue are lost', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const { sent, lines, call } = open([promise])
  for (let calls = 0; calls < 4; calls++) call(4)
  expect(sent).toEqual([4])
  expect(lines).toEqual([{ lost: 4, reason: 'queue full' }])
  resolve(undefined)
  await vi.advanceTimersByTimeAsync(limits.delayMs)
  expect(sent).toEqual([4, 4])
  call(4)
  await vi.advanceTimersByTimeAsync(limits.delayMs)
  expect(sent).toEqual([4, 4, 4])
})

test('a batch that the collector refuses is lost and logged, and the next one is sent', async () => {
  const { queue, sent, lines, call } = open(['status 400'])
  call(4)
  call(1)
  await queue.close()
  expect(sent).toEqual([4, 1])
  expect(lines).toEqual([{ lost: 4, reason: 'status 400' }])
})

test('a request is sent at its size, and spans beyond the bytes that may wait are lost', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const { sent, lines, call } = open([promise], { batchBytesMax: 2, queueBytesMax: 5 })
  for (const spans of [1, 2, 2, 1]) call(spans)
  expect(sent).toEqual([3])
  expect(lines).toEqual([{ lost: 1, reason: 'queue full' }])
  resolve(undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([3, 2])
  call(1)
  await vi.advanceTimersByTimeAsync(limits.delayMs)
  expect(sent).toEqual([3, 2, 1])
})
