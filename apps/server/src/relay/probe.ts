import type { KeyProbe, ProbePort, ProbeResult } from '../ports/channel-probe.ts'
import { chargeUnits } from '@tollgate/billing/charge'
import type { Reading } from '@tollgate/dialects/dialect'
import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import type { Egress } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import type { Clock } from '@tollgate/kit/clock'
import { Problem } from '@tollgate/problems/problem'
import { prepareAttempt, type PreparedAttempt } from '@tollgate/providers/prepare'
import type { Snapshots, RosterChannel } from '../snapshots/snapshots.ts'
import { openTokens } from './access-tokens.ts'
import type { CredentialRefresh } from '../keys/credential-refresh.ts'
import { withFreshCredential, withoutKeyProblem } from './stations/attempt/expiring-credential.ts'
import type { Evidence } from './stations/attempt/failure.ts'
import { upstreamOf } from './stations/attempt/prepare.ts'
import type { Log } from './log.ts'
import { isPassed, judge, type Passed, type Refusal } from './probe-judge.ts'
import { planOf, type ProbePlan } from './probe-plan.ts'
import type { Choice } from './stations/route/choice.ts'
import { probeTexts } from './probe-texts.ts'

export interface ProbeDeps {
  readonly snapshots: Pick<Snapshots, 'roster' | 'prices' | 'settings'>
  readonly egress: Pick<Egress, 'exchange'>
  readonly credentialRefresh: Pick<CredentialRefresh, 'usable' | 'renew'>
  readonly clock: Clock
  readonly log: Log
  /** Timeout of one request; default 60 seconds. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 1024 * 1024
/** At most this many keys of a channel are tested, to limit the duration. */
const KEYS_TESTED_MAX = 20

/**
 * Tests channels with the code that real calls use, for preparing requests and for reading responses. Nothing
 * is charged or recorded as consumption.
 */
export function createProbe(deps: ProbeDeps): ProbePort {
  const { snapshots, clock } = deps
  return {
    probe: async ({ channelId, model, language = 'en' }) => {
      const startedAt = clock.monotonicMs()
      const elapsed = () => clock.monotonicMs() - startedAt
      const channel = snapshots.roster().channel(channelId)
      if (channel === undefined) return failed(probeTexts[language].unusable, elapsed())
      const plan = planOf(channel, { model, language })
      if (typeof plan === 'string') return failed(plan, elapsed())
      const tried = await tryKeys(channel, plan, deps)
      const keys = tried.map((each) => probeOf(channel, each))
      const common = { model: plan.model, durationMs: elapsed(), keys }
      const failure = firstFailure(tried, { ...plan, channel })
      if (failure !== undefined) return { ok: false, ...failure, ...common }
      const last = tried.map(({ outcome }) => outcome).findLast(isPassed)
      const figures = last && figuresOf(last.reading, { channel, plan, snapshots })
      return { ok: true, message: '', ...common, status: last?.status, ...figures }
    },
  }
}

function failed(message: string, durationMs: number): ProbeResult {
  return { ok: false, message, durationMs, keys: [] }
}

interface Tried {
  readonly keyIndex: number
  readonly outcome: Passed | Refusal
}

/**
 * Tries the enabled keys, then the disabled ones. Stops after a failure that has nothing to do with the key.
 */
async function tryKeys(channel: RosterChannel, plan: ProbePlan, deps: ProbeDeps): Promise<readonly Tried[]> {
  const places = [...channel.keys.keys()]
  const isOut = (place: number) => channel.disabledKeys.has(place)
  const used = places.filter((place) => !isOut(place)).slice(0, KEYS_TESTED_MAX)
  const out = places.filter(isOut).slice(0, KEYS_TESTED_MAX)
  const tried: Tried[] = []
  for (const keyIndex of [...used, ...out]) {
    const outcome = await tryKey({ channel, keyIndex }, plan, deps)
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

/** As for real calls, a key that has expired or is refused is refreshed and tried again. */
function tryKey(choice: Choice, plan: ProbePlan, deps: ProbeDeps): Promise<Passed | Refusal> {
  if (choice.channel.provider.renewal === undefined) return tryOnce(choice, plan, deps)
  return withFreshCredential<Passed | Refusal>(
    choice,
    {
      run: (usable) => tryOnce(usable, plan, deps),
      isRefused: (outcome) => !isPassed(outcome) && outcome.evidence === 'certain',
      withoutKey: ({ message, isFinal }) => ({
        message: `${withoutKeyProblem({ isFinal }).textIn(plan.language)}: ${message}`,
        evidence: isFinal ? 'certain' : 'none',
      }),
    },
    deps.credentialRefresh,
  )
}

async function tryOnce(choice: Choice, plan: ProbePlan, deps: ProbeDeps): Promise<Passed | Refusal> {
  try {
    const prepared = preparedFor(choice, plan, await accessFor(choice, deps))
    const answer = await deps.egress.exchange({
      method: 'POST',
      url: prepared.url,
      headers: prepared.headers,
      body: textOf(prepared.body),
      timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
      proxy: proxyAddress(choice.channel.settings.proxy),
    })
    return judge(answer, {
      choice,
      plan,
      prepared,
      keywords: deps.snapshots.settings().automaticDisableKeywords,
    })
  } catch (error) {
    if (error instanceof Problem)
      return { message: error.textIn(plan.language), evidence: evidenceOfProblem(error) }
    deps.log.warn({ error, channelId: choice.channel.id }, 'a channel test failed with an unexpected error')
    return { message: probeTexts[plan.language].failed, evidence: 'none' }
  }
}

function textOf(body: PreparedAttempt['body']): string {
  return (Buffer.isBuffer(body) ? body : Buffer.concat(body)).toString()
}

/**
 * A channel test fetches its own access token instead of using the cache, because the exchange shows whether
 * the key is valid.
 */
async function accessFor(choice: Choice, { egress, clock }: ProbeDeps): Promise<Access> {
  const { provider, settings } = choice.channel
  const nowMs = clock.nowMs()
  if (provider.tokens === undefined) return { nowMs }
  const holder = { key: upstreamOf(choice).key, proxy: proxyAddress(settings.proxy) }
  return { nowMs, accessToken: await openTokens({ egress, clock }).tokenFor(provider.tokens, holder) }
}

interface Access {
  readonly nowMs: number
  readonly accessToken?: string
}

function preparedFor(
  choice: Choice,
  { operation, ask, upstreamModel: model }: ProbePlan,
  { nowMs, accessToken }: Access,
): PreparedAttempt {
  const { provider, parameterOverride } = choice.channel
  const input = {
    provider,
    upstream: upstreamOf(choice, accessToken),
    operation: operation.wire,
    ask,
    model,
    isStream: false,
    parameterOverride,
    query: new URLSearchParams(),
  }
  return prepareAttempt(input, { nowMs })
}

/** A vendor that exchanges keys for tokens refuses a bad key during the exchange. */
function evidenceOfProblem({ code }: Problem): Evidence {
  return code === 'channel_key_refused' ? 'certain' : 'none'
}

interface Priced {
  readonly channel: RosterChannel
  readonly plan: ProbePlan
  readonly snapshots: ProbeDeps['snapshots']
}

function figuresOf({ usage }: Reading, priced: Priced): Pick<ProbeResult, 'usage' | 'units'> {
  if (usage === undefined) return {}
  return {
    usage: { inputTokens: inputTokens(usage), outputTokens: outputTokens(usage) },
    units: unitsOf(usage, priced),
  }
}

function unitsOf(usage: Usage, { channel, plan, snapshots }: Priced): bigint | undefined {
  const group = channel.groups.find((name) => snapshots.prices().hasGroup(name)) ?? ''
  const price = snapshots.prices().find({ model: plan.model, group, acceptsUnpriced: true })
  return price && chargeUnits({ ...price, groupRatio: '1' }, usage)
}
