import type { KeyProbe, ProbePort, ProbeResult } from '../../ports/channel-probe.ts'
import { chargeUnits } from '@tollgate/billing/charge'
import type { Price } from '@tollgate/billing/price'
import type { Reading } from '@tollgate/dialects/dialect'
import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import type { RosterChannel } from '../../snapshots/snapshots.ts'
import type { App } from '../app.ts'
import { attempt } from '../stations/attempt/attempt.ts'
import type { Choice } from '../stations/route/choice.ts'
import { probeApp, probeHeld, probePrice } from './held.ts'
import { planOf, type ProbePlan } from './plan.ts'
import { isPassed, type Passed, readOutcome, type Refusal } from './read-outcome.ts'
import { probeTexts } from './texts.ts'

/** At most this many keys of a channel are tested, to limit the duration. */
const KEYS_TESTED_MAX = 20

/**
 * Tests channels with the attempt of real calls, so that a test says what a call would get. Nothing is
 * charged or recorded as consumption.
 */
export function openProbe(app: App): ProbePort['probe'] {
  const { snapshots, clock } = app
  return async ({ channelId, model, language = 'en' }) => {
    const startedAt = clock.monotonicMs()
    const elapsed = () => clock.monotonicMs() - startedAt
    const channel = snapshots.roster().channel(channelId)
    if (channel === undefined) return failed(probeTexts[language].unusable, elapsed())
    const plan = planOf(channel, { model, language })
    if (typeof plan === 'string') return failed(plan, elapsed())
    const tried = await tryKeys(channel, plan, app)
    const keys = tried.map((each) => probeOf(channel, each))
    const common = { model: plan.model, durationMs: elapsed(), keys }
    const failure = firstFailure(tried, { ...plan, channel })
    if (failure !== undefined) return { ok: false, ...failure, ...common }
    const last = tried.map(({ outcome }) => outcome).findLast(isPassed)
    const figures = last && figuresOf(last.reading, probePrice(channel, plan.model, snapshots.prices()))
    return { ok: true, message: '', ...common, status: last?.status, ...figures }
  }
}

function failed(message: string, durationMs: number): ProbeResult {
  return { ok: false, message, durationMs, keys: [] }
}

export function createCostCheck({ snapshots }: Pick<App, 'snapshots'>): ProbePort['isCostlyProbe'] {
  return (channelId) => {
    const channel = snapshots.roster().channel(channelId)
    const plan = channel && planOf(channel, { model: undefined, language: 'en' })
    return typeof plan === 'object' && plan.operation.probe?.isCostly === true
  }
}

interface Tried {
  readonly keyIndex: number
  readonly outcome: Passed | Refusal
}

/**
 * Tries the enabled keys, then the disabled ones. Stops after a failure that has nothing to do with the key.
 */
async function tryKeys(channel: RosterChannel, plan: ProbePlan, app: App): Promise<readonly Tried[]> {
  const places = [...channel.keys.keys()]
  const isOut = (place: number) => channel.disabledKeys.has(place)
  const used = places.filter((place) => !isOut(place)).slice(0, KEYS_TESTED_MAX)
  const out = places.filter(isOut).slice(0, KEYS_TESTED_MAX)
  const tried: Tried[] = []
  for (const keyIndex of [...used, ...out]) {
    const outcome = await tryKey({ channel, keyIndex }, plan, app)
    tried.push({ keyIndex, outcome })
    if (!isPassed(outcome) && outcome.evidence === 'none') break
  }
  return tried
}

/**
 * The first failure among the enabled keys is the result of the test; the message says which key it was when
 * there are several.
 */
function firstFailure(
  tried: readonly Tried[],
  { channel, language }: Pick<ProbePlan, 'language'> & { channel: RosterChannel },
): Pick<ProbeResult, 'message' | 'status'> | undefined {
  const { keys, disabledKeys } = channel
  const used = tried.filter(({ keyIndex }) => !disabledKeys.has(keyIndex))
  for (const { keyIndex, outcome } of used.length > 0 ? used : tried) {
    if (isPassed(outcome)) continue
    const { message, status } = outcome
    const place = keys.length > 1 ? probeTexts[language].keyOf(keyIndex + 1, keys.length) : ''
    return { message: place + message, status }
  }
  return undefined
}

function probeOf({ keys, disabledKeys }: RosterChannel, { keyIndex, outcome }: Tried): KeyProbe {
  const common = { key: keys[keyIndex] ?? '', isDisabled: disabledKeys.has(keyIndex) }
  if (isPassed(outcome)) return { ...common, ok: true, message: '', evidence: 'none' }
  const { message, evidence } = outcome
  return { ...common, ok: false, message, evidence }
}

/** Sends the request as a call does, through the same station. */
async function tryKey(choice: Choice, plan: ProbePlan, app: App): Promise<Passed | Refusal> {
  const held = probeHeld(choice.channel, plan, app)
  try {
    return readOutcome(await attempt(held, choice, probeApp(app)), held, plan.language)
  } catch (error) {
    app.log.warn({ error, channelId: choice.channel.id }, 'a channel test failed with an unexpected error')
    return { message: probeTexts[plan.language].failed, evidence: 'none' }
  }
}

function figuresOf({ usage }: Reading, price: Price | undefined): Pick<ProbeResult, 'usage' | 'units'> {
  if (usage === undefined) return {}
  return {
    usage: { inputTokens: inputTokens(usage), outputTokens: outputTokens(usage) },
    units: price && chargeUnits(price, usage),
  }
}
