import { conversations } from '@tollgate/dialects/conversations'
import { setImmediate as turn } from 'node:timers/promises'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import { ManualClock } from '@tollgate/kit/clock'
import type { CheckpointInput } from '@tollgate/ledger/inputs'
import { expect, test } from 'vitest'
import { channelWith, heldWith } from '../../../../test/relay/parts.ts'
import { Exchange } from '../attempt/exchange.ts'
import { AnswerRooms } from '../../answers/answer-rooms.ts'
import { TurnShare } from '../../answers/turn-share.ts'
import { defaultRelayLimits } from '../../limits.ts'
import { Watch } from '../../watch.ts'
import { StreamMeter } from './stream-meter.ts'
import { WholeSink } from './whole-sink.ts'

/** The checkpoint written at the first byte of a response: 100 input tokens at 1.25 units. */
const atFirstByte = { amount: 125n, channelId: 1 }

const usage = { prompt_tokens: 10, completion_tokens: 5 }

function answerWith(parts: Record<string, unknown>): Buffer {
  const choices = [{ index: 0, message: { content: 'hello' }, finish_reason: 'stop' }]
  return Buffer.from(JSON.stringify({ choices, ...parts }))
}

function harness(length = Number.NaN) {
  const clock = new ManualClock()
  const held = heldWith()
  const checkpoints: Omit<CheckpointInput, 'holdId'>[] = []
  const watch = new Watch(clock, () => undefined)
  const now = () => clock.monotonicMs()
  const meter = new StreamMeter({
    held,
    channelId: 1,
    onError: () => undefined,
    ledger: {
      extend: async () => ({ type: 'refused' }),
      checkpoint: async ({ amount, channelId = 0 }) => void checkpoints.push({ amount, channelId }),
    },
  })
  const exchange: Exchange = new Exchange({
    call: held.call,
    limits: defaultRelayLimits,
    watch,
    now,
    receive: () => sink,
    turns: new TurnShare(),
    openRoom: (onRoom) => new AnswerRooms(defaultRelayLimits, watch).open(held.call, 1, onRoom),
    waiting: () => undefined,
    resend: () => false,
    follow: () => ({ end: () => undefined }),
    done: () => undefined,
    onBug: () => undefined,
  })
  const sink = new WholeSink({
    held,
    exchange,
    meter,
    rules: {
      asked: 'chat',
      caller: conversations.chat.caller,
      endpoint: 'chat',
      readUsage: readOpenAiUsage,
      context: { model: 'gpt-4o', fallbackId: '1', nowSeconds: 0, inputTokensCounted: 1, wantsUsage: false },
    },
    status: 200,
    length,
    bytesMax: 1_000,
    now,
    route: { channel: channelWith(), upstreamModel: 'gpt-4o' },
  })
  watch.close()
  return { sink, checkpoints }
}

test('a response that is not complete in the event loop turn of its first byte gets a checkpoint at once', async () => {
  const { sink, checkpoints } = harness()
  const bytes = answerWith({ usage })
  sink.data(bytes.subarray(0, 10))
  await turn()
  expect(checkpoints).toEqual([atFirstByte])
  sink.data(bytes.subarray(10))
  sink.end()
  await turn()
  expect(checkpoints).toHaveLength(1)
})

test('a response that is complete at once is settled without a checkpoint', async () => {
  const { sink, checkpoints } = harness()
  sink.data(answerWith({ usage }))
  sink.end()
  await turn()
  expect(checkpoints).toEqual([])
})

test('a response whose announced length is there needs no checkpoint, and one that is cut gets it', async () => {
  const bytes = answerWith({ usage })
  const whole = harness(bytes.length)
  whole.sink.data(bytes)
  await turn()
  expect(whole.checkpoints).toEqual([])
  const cut = harness(bytes.length)
  cut.sink.data(bytes.subarray(0, -1))
  await turn()
  expect(cut.checkpoints).toEqual([atFirstByte])
})

test('a response without usage gets a checkpoint before delivery, because counting takes time', () => {
  const { sink, checkpoints } = harness()
  sink.data(answerWith({}))
  sink.end()
  expect(checkpoints).toHaveLength(1)
  expect(checkpoints[0]?.amount).toBeGreaterThan(atFirstByte.amount)
})
