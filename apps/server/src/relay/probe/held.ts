import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { modelLimits } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { conversations } from '@tollgate/dialects/conversations'
import type { PriceBook, RosterChannel } from '../../snapshots/snapshots.ts'
import { AnswerRooms } from '../answers/answer-rooms.ts'
import type { App, AttemptApp } from '../app.ts'
import { Call } from '../call.ts'
import { KeyHealth } from '../stations/route/key-health.ts'
import type { Held } from '../stations/hold/held.ts'
import { ChannelTraffic } from '../traffic.ts'
import { CallMetrics } from '../metrics/call-metrics.ts'
import { Watch } from '../watch.ts'
import { openTokens } from '../access-tokens.ts'
import type { ProbePlan } from './plan.ts'

/** The price of a test before the group's ratio; `undefined` when no group of the channel has a ratio. */
export function probePrice({ groups }: RosterChannel, model: string, prices: PriceBook): Price | undefined {
  const group = groups.find((name) => prices.hasGroup(name)) ?? ''
  const price = prices.find({ model, group, acceptsUnpriced: true })
  return price && { ...price, groupRatio: '1' }
}

/** A channel test as a held call: nobody calls, nobody pays, and nothing is held. */
export function probeHeld(channel: RosterChannel, plan: ProbePlan, { snapshots, clock }: App): Held {
  const { operation, ask, model } = plan
  const request = new IncomingMessage(new Socket())
  const dialect = operation.dialect?.('') ?? conversations.chat.caller
  const response = new ServerResponse(request)
  const prices = snapshots.prices()
  return {
    call: new Call({ request, response, clock, isCrossOrigin: false, dialect }),
    operation,
    caller: {
      owner: { ...NOBODY, acceptsUnpricedModels: true },
      token: undefined,
      pinned: channel,
      address: '',
    },
    ask,
    uncounted: undefined,
    namedModels: [],
    group: '',
    candidates: { model, tiers: [] },
    fallbacks: [],
    prices,
    settings: {
      ...snapshots.settings(),
      isAutomaticDisable: false,
      isUpstreamErrorHidden: false,
      keptCharactersMax: undefined,
    },
    price: probePrice(channel, model, prices) ?? { ...FREE, model, group: '' },
    units: 0n,
    ceiling: 0n,
    bounds: { limits: modelLimits(model), inputTokensCounted: 0, choices: ask.choices },
    holdMs: 0,
  }
}

const NOBODY = { id: 0, username: '', role: 0, status: 1, isDeleted: false, group: '', hasPaid: false }
const FREE = { version: 0, groupRatio: '1', quotaPerUnit: '1', rule: { type: 'call', price: '0' } } as const

/** A picture of a test is larger than any other answer. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/**
 * What the attempt of a test works with. The health of keys and the traffic of channels count calls only; and
 * the test fetches its own access token, because the exchange shows whether the key is valid.
 */
export function probeApp(app: App): AttemptApp {
  const { clock, limits, log } = app
  const watch = new Watch(clock, (error) =>
    log.error({ error }, 'a time limit check of a channel test failed'),
  )
  return {
    ...app,
    accessTokens: openTokens(app),
    ledger: {
      checkpoint: async () => undefined,
      extend: async () => ({ type: 'refused' }),
      isHeld: () => true,
    },
    health: new KeyHealth(),
    traffic: new ChannelTraffic(clock),
    metrics: new CallMetrics(),
    watch,
    answers: new AnswerRooms(limits, watch),
    limits: {
      ...limits,
      firstByteMs: limits.probeMs,
      answerMs: limits.probeMs,
      answerBytesMax: ANSWER_BYTES_MAX,
    },
  }
}
