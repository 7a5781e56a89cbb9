import type { KeyProbe, ProbePort, ProbeResult } from '../ports/channel-probe.ts'
import { chargeUnits } from '@tollgate/billing/charge'
import type { Ask, Reading, UpstreamError } from '@tollgate/dialects/dialect'
import { readWhole } from '@tollgate/dialects/pair/read-whole'
import { readAsk } from '@tollgate/dialects/ask'
import { readUpstreamError } from '@tollgate/dialects/errors/render-error'
import { codecOf, conversations } from '@tollgate/dialects/conversations'
import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import type { Clock } from '@tollgate/kit/clock'
import { type Language, Problem } from '@tollgate/problems/problem'
import { prepareAttempt, resolveEndpoint, type PreparedAttempt } from '@tollgate/providers/prepare'
import type { Snapshots, RosterChannel } from '../snapshots/snapshots.ts'
import { openTokens } from './access-tokens.ts'
import type { CredentialRefresh } from '../keys/credential-refresh.ts'
import { withFreshCredential, withoutKeyProblem } from './stations/attempt/expiring-credential.ts'
import { evidenceOf } from './stations/attempt/evidence.ts'
import type { Evidence } from './stations/attempt/failure.ts'
import { upstreamModel, upstreamOf } from './stations/attempt/prepare.ts'
import { secretsOf, withoutKeys } from './stations/attempt/verdict.ts'
import type { Log } from './log.ts'
import type { Operation } from './operations/operation.ts'
import { probedOperation } from './probed-operation.ts'
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

const FALLBACK_MODEL = 'gpt-4o-mini'
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
      return { ok: true, message: '', ...common, ...(last && { status: last.status }), ...figures }
    },
  }
}

function failed(message: string, durationMs: number): ProbeResult {
  return { ok: false, message, durationMs, keys: [] }
}

interface Plan {
  /** Language of the messages. */
  readonly language: Language
  readonly operation: Operation
  /** The offered model name, without a channel prefix. */
  readonly model: string
  readonly upstreamModel: string
  readonly ask: Ask
}

/** Plans the request. A string is the message that says why the channel cannot be tested. */
function planOf(
  channel: RosterChannel,
  { model: asked, language }: { model: string | undefined; language: Language },
): Plan | string {
  const texts = probeTexts[language]
  const { modelPrefix, testModel, models, provider } = channel
  const named = asked || testModel || models[0] || FALLBACK_MODEL
  const model = modelPrefix !== '' && named.startsWith(modelPrefix) ? named.slice(modelPrefix.length) : named
  const upstream = upstreamModel(channel, { asked: named, offered: model })
  if (upstream === undefined) return texts.circular(named)
  const operation = probedOperation(upstream, ({ wire }) => resolveEndpoint(provider, wire) !== undefined)
  if (operation?.probe === undefined) return texts.untestable(provider.label)
  const body = Buffer.from(JSON.stringify(operation.probe.body({ asked: model, upstream })))
  return { language, operation, model, upstreamModel: upstream, ask: readAsk(operation.wire, body) }
}

interface Tried {
  readonly keyIndex: number
  readonly outcome: Passed | Refusal
}

interface Passed {
  readonly status: number
  readonly reading: Reading
}

interface Refusal {
  /** Absent when there was no response. */
  readonly status?: number
  readonly message: string
  readonly evidence: Evidence
}

function isPassed(outcome: Passed | Refusal): outcome is Passed {
  return 'reading' in outcome
}

/**
 * Tries the enabled keys, then the disabled ones. Stops after a failure that has nothing to do with the key.
 */
async function tryKeys(channel: RosterChannel, plan: Plan, deps: ProbeDeps): Promise<readonly Tried[]> {
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
  { channel, language }: Pick<Plan, 'language'> & { channel: RosterChannel },
): Pick<ProbeResult, 'message' | 'status'> | undefined {
  const { keys, disabledKeys } = channel
  const used = tried.filter(({ keyIndex }) => !disabledKeys.has(keyIndex))
  for (const { keyIndex, outcome } of used.length > 0 ? used : tried) {
    if (isPassed(outcome)) continue
    const { message, status } = outcome
    const place = keys.length > 1 ? probeTexts[language].keyOf(keyIndex + 1, keys.length) : ''
    return { message: place + message, ...(status !== undefined && { status }) }
  }
  return undefined
}

function probeOf({ keys, disabledKeys }: RosterChannel, { keyIndex, outcome }: Tried): KeyProbe {
  const common = { key: keys[keyIndex] ?? '', isDisabled: disabledKeys.has(keyIndex) }
  if (isPassed(outcome)) return { ...common, ok: true, message: '', evidence: 'none' }
  const { message, evidence } = outcome
  return { ...common, ok: false, message, evidence }
}

interface KeyChoice {
  readonly channel: RosterChannel
  readonly keyIndex: number
}

/** As for real calls, a key that has expired or is refused is refreshed and tried again. */
function tryKey(choice: KeyChoice, plan: Plan, deps: ProbeDeps): Promise<Passed | Refusal> {
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

async function tryOnce(choice: KeyChoice, plan: Plan, deps: ProbeDeps): Promise<Passed | Refusal> {
  try {
    const prepared = preparedFor(choice, plan, await accessFor(choice, deps))
    const answer = await deps.egress.exchange({
      method: 'POST',
      url: prepared.url,
      headers: prepared.headers,
      body: textOf(prepared.body),
      timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
      proxy: proxyAddress(choice.channel.setting['proxy']),
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
async function accessFor(choice: KeyChoice, { egress, clock }: ProbeDeps): Promise<Access> {
  const { provider, setting } = choice.channel
  const nowMs = clock.nowMs()
  if (provider.tokens === undefined) return { nowMs }
  const holder = { key: upstreamOf(choice).key, proxy: proxyAddress(setting['proxy']) }
  return { nowMs, accessToken: await openTokens({ egress, clock }).tokenFor(provider.tokens, holder) }
}

interface Access {
  readonly nowMs: number
  readonly accessToken?: string
}

function preparedFor(
  choice: KeyChoice,
  { operation, ask, upstreamModel: model }: Plan,
  { nowMs, accessToken }: Access,
): PreparedAttempt {
  const { provider, parameterOverride } = choice.channel
  return prepareAttempt({
    provider,
    upstream: upstreamOf(choice, accessToken),
    nowMs,
    operation: operation.wire,
    ask,
    model,
    isStream: false,
    parameterOverride,
    query: new URLSearchParams(),
  })
}

interface Judged {
  readonly choice: KeyChoice
  readonly plan: Plan
  readonly prepared: PreparedAttempt
  readonly keywords: readonly string[]
}

/** A vendor that exchanges keys for tokens refuses a bad key during the exchange. */
function evidenceOfProblem({ code }: Problem): Evidence {
  return code === 'channel_key_refused' ? 'certain' : 'none'
}

/** The text of the response is ignored: with so few tokens a reasoning model may not produce any output. */
function judge({ status, body }: ExchangeAnswer, judged: Judged): Passed | Refusal {
  const { choice, plan, prepared } = judged
  const { provider } = choice.channel
  if (status < 200 || status > 299) {
    const read = codecOf(prepared.operation, prepared.endpoint.codec)?.readError ?? readUpstreamError
    return { status, ...refusal(read(status, body), judged, probeTexts[plan.language].status(status)) }
  }
  const { endpoint } = prepared
  const { reading } = readWhole(body, {
    asked: plan.operation.wire,
    caller: conversations.chat.caller,
    endpoint: prepared.operation,
    readUsage: endpoint.readUsage,
    context: { model: plan.model, fallbackId: '0', nowSeconds: 0, inputTokensCounted: 0, wantsUsage: true },
    isCollected: prepared.isStream,
    ...(provider.errorInside && { errorInside: provider.errorInside }),
    ...(endpoint.codec && { codec: endpoint.codec }),
    ...(endpoint.openFrames && { openFrames: endpoint.openFrames }),
    ...(endpoint.adjustAnswer && { adjustAnswer: endpoint.adjustAnswer }),
  })
  return { status, ...(reading.error === undefined ? { reading } : refusal(reading.error, judged, '')) }
}

/** Judges an error as for real calls, including the channel's status mapping. */
function refusal(error: UpstreamError, { choice, keywords }: Judged, prefix: string): Refusal {
  const { channel } = choice
  const { type, statusMapping } = channel
  const status = statusMapping.get(error.status) ?? error.status
  return {
    message: prefix + withoutKeys(error.message, secretsOf(channel)),
    evidence: evidenceOf({ status, error, channelType: type, keywords }),
  }
}

function figuresOf(
  { usage }: Reading,
  { channel, plan, snapshots }: { channel: RosterChannel; plan: Plan; snapshots: ProbeDeps['snapshots'] },
): Pick<ProbeResult, 'usage' | 'units'> {
  if (usage === undefined) return {}
  const units = unitsOf(usage, { channel, plan, snapshots })
  return {
    usage: { inputTokens: inputTokens(usage), outputTokens: outputTokens(usage) },
    ...(units !== undefined && { units }),
  }
}

function unitsOf(
  usage: Usage,
  { channel, plan, snapshots }: { channel: RosterChannel; plan: Plan; snapshots: ProbeDeps['snapshots'] },
): bigint | undefined {
  const group = channel.groups.find((name) => snapshots.prices().hasGroup(name)) ?? ''
  const price = snapshots.prices().find({ model: plan.model, group, acceptsUnpriced: true })
  return price && chargeUnits({ ...price, groupRatio: '1' }, usage)
}
