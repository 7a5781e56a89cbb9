import { setImmediate as turn } from 'node:timers/promises'
import { conversations } from '@tollgate/dialects/conversations'
import { readImageUsage } from '@tollgate/dialects/media/usage'
import { ManualClock } from '@tollgate/kit/clock'
import type { FetchedMedia } from '@tollgate/providers/define/media'
import { expect, test } from 'vitest'
import { channelWith, heldWith } from '../../../../test/relay/parts.ts'
import { Exchange, type Sink } from '../attempt/exchange.ts'
import type { Outcome } from '../../outcome.ts'
import { AnswerRooms } from '../../answers/answer-rooms.ts'
import { TurnShare } from '../../answers/turn-share.ts'
import { defaultRelayLimits } from '../../limits.ts'
import { Watch } from '../../watch.ts'
import { PictureSink } from './picture-sink.ts'

const URL_OF_ONE = 'https://store.example/1.png'
const ANSWER = Buffer.from(JSON.stringify({ created: 1, data: [{ url: URL_OF_ONE }] }))
const FETCHED: FetchedMedia = new Map([[URL_OF_ONE, { mediaType: 'image/png', base64: 'aGk=' }]])

function harness() {
  const clock = new ManualClock()
  const watch = new Watch(clock, () => undefined)
  const { promise: fetched, resolve: arrive } = Promise.withResolvers<FetchedMedia>()
  const given: string[] = []
  const exits: Outcome[] = []
  const held = heldWith()
  const exchange: Exchange = new Exchange({
    call: held.call,
    limits: defaultRelayLimits,
    watch,
    now: () => clock.monotonicMs(),
    receive: () => sink,
    turns: new TurnShare(),
    openRoom: (onRoom) => new AnswerRooms(defaultRelayLimits, watch).open(held.call, 1, onRoom),
    waiting: () => undefined,
    resend: () => false,
    follow: () => ({ end: () => undefined }),
    done: (exit) => void exits.push(exit),
    onBug: () => undefined,
  })
  const collecting: Sink = {
    data: (chunk) => void given.push(chunk.toString()),
    end: () => undefined,
    broke: () => undefined,
    tick: () => undefined,
  }
  const sink = new PictureSink({
    wanted: 'b64_json',
    rules: {
      asked: 'images',
      caller: conversations.chat.caller,
      endpoint: 'images',
      readUsage: readImageUsage,
      context: { model: 'm', fallbackId: '1', nowSeconds: 0, inputTokensCounted: 1, wantsUsage: false },
    },
    exchange,
    bytesMax: 1_000,
    call: held.call,
    length: Number.NaN,
    route: { channel: channelWith(), upstreamModel: 'm' },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    fetch: () => fetched,
    handOn: () => collecting,
  })
  watch.close()
  sink.data(ANSWER)
  sink.end()
  return { sink, arrive, given, exits }
}

test('an image is delivered once it has been downloaded', async () => {
  const { arrive, given } = harness()
  expect(given).toEqual([])
  arrive(FETCHED)
  await turn()
  expect(given.map((text) => JSON.parse(text))).toEqual([{ created: 1, data: [{ b64_json: 'aGk=' }] }])
})

test('an image download that takes too long is not retried elsewhere, and a late download is discarded', async () => {
  const { sink, arrive, given, exits } = harness()
  sink.broke({ type: 'idle' })
  arrive(FETCHED)
  await turn()
  expect(exits).toMatchObject([
    { type: 'failed', failure: { code: 'picture_unavailable', isRetryable: false } },
  ])
  expect(given).toEqual([])
})
