import { chargeUnits } from '@tollgate/billing/charge'
import type { Ask, Reading } from '@tollgate/dialects/dialect'
import { readWhole } from '@tollgate/dialects/pair/read-whole'
import { readAsk } from '@tollgate/dialects/ask'
import { readUpstreamError } from '@tollgate/dialects/openai/error'
import { conversations, type CallOperation } from '@tollgate/dialects/conversations'
import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { Problem } from '@tollgate/kit/problem'
import { prepareAttempt, wayTo, type PreparedAttempt } from '@tollgate/providers/prepare'
import type { Books, RosterChannel } from '../books/books.ts'
import { openTokens } from './access-tokens.ts'
import { upstreamModel, upstreamOf } from './attempt/prepare.ts'
import { withoutKeys } from './attempt/verdict.ts'
import type { Log } from './log.ts'
import { probeBody, probeOperation } from './probe-body.ts'

export interface ProbeDeps {
  readonly books: Pick<Books, 'roster' | 'prices'>
  readonly egress: Pick<Egress, 'exchange'>
  readonly clock: Clock
  readonly log: Log
  /** Of one request; default 60 seconds. */
  readonly timeoutMs?: number
}

export interface ProbePort {
  /** Sends one small call with each key of a channel, enabled or not. Never rejects for what an upstream does. */
  probe(input: { channelId: number; model?: string }): Promise<ProbeResult>
}

export interface ProbeResult {
  readonly ok: boolean
  /** Why not; safe to show to an operator. */
  readonly message: string
  readonly durationMs: number
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** What the call would have cost, before the group's ratio. */
  readonly units?: bigint
}

const FALLBACK_MODEL = 'gpt-4o-mini'
const TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 1024 * 1024
/** A channel with more keys is tested with the first of them; an hour of requests would help nobody. */
const KEYS_TESTED_MAX = 20

/**
 * Tests channels the way calls use them: same preparation, same reading. Nothing is charged and nothing is logged as
 * consumption, since nobody consumed.
 */
export function createProbe(deps: ProbeDeps): ProbePort {
  const { books, clock } = deps
  return {
    probe: async ({ channelId, model }) => {
      const startedAt = clock.monotonicMs()
      const elapsed = () => clock.monotonicMs() - startedAt
      const channel = books.roster().channel(channelId)
      if (channel === undefined)
        return { ok: false, message: 'this channel cannot be used', durationMs: elapsed() }
      const plan = planOf(channel, model)
      if (typeof plan === 'string') return { ok: false, message: plan, durationMs: elapsed() }
      const outcome = await tryKeys(channel, plan, deps)
      const common = { model: plan.model, durationMs: elapsed() }
      if (typeof outcome === 'string') return { ok: false, message: outcome, ...common }
      return { ok: true, message: '', ...common, ...figuresOf(outcome, { channel, plan, books }) }
    },
  }
}

interface Plan {
  readonly operation: CallOperation
  /** As it is offered, without a prefix. */
  readonly model: string
  readonly upstreamModel: string
  readonly ask: Ask
}

/** What to send; a text says why nothing can be sent. */
function planOf(channel: RosterChannel, asked: string | undefined): Plan | string {
  const { modelPrefix, testModel, models, provider } = channel
  const named = asked || testModel || models[0] || FALLBACK_MODEL
  const model = modelPrefix !== '' && named.startsWith(modelPrefix) ? named.slice(modelPrefix.length) : named
  const upstream = upstreamModel(channel, { asked: named, offered: model })
  if (upstream === undefined) return `the model mapping of ${named} leads in a circle`
  const operation = probeOperation(upstream, (wanted) => wayTo(provider, wanted) !== undefined)
  if (operation === undefined) return `${provider.label} channels cannot be tested`
  const body = Buffer.from(JSON.stringify(probeBody(operation, { asked: model, upstream })))
  return { operation, model, upstreamModel: upstream, ask: readAsk(operation, body) }
}

/** The first key that fails decides; its place is named when there are several. */
async function tryKeys(channel: RosterChannel, plan: Plan, deps: ProbeDeps): Promise<Reading | string> {
  let last: Reading | string = 'this channel has no key'
  const count = Math.min(channel.keys.length, KEYS_TESTED_MAX)
  for (let keyIndex = 0; keyIndex < count; keyIndex++) {
    last = await tryKey({ channel, keyIndex }, plan, deps)
    if (typeof last === 'string') {
      return channel.keys.length > 1 ? `key ${keyIndex + 1} of ${channel.keys.length}: ${last}` : last
    }
  }
  return last
}

interface KeyChoice {
  readonly channel: RosterChannel
  readonly keyIndex: number
}

async function tryKey(choice: KeyChoice, plan: Plan, deps: ProbeDeps): Promise<Reading | string> {
  try {
    const prepared = preparedFor(choice, plan, await accessFor(choice, deps))
    const answer = await deps.egress.exchange({
      method: 'POST',
      url: prepared.url,
      headers: prepared.headers,
      body: prepared.body.toString(),
      timeoutMs: deps.timeoutMs ?? TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
    })
    return judge(answer, { choice, plan, prepared })
  } catch (error) {
    if (error instanceof Problem) return error.textIn('en')
    deps.log.warn({ error, channelId: choice.channel.id }, 'a channel test failed')
    return 'the request to the upstream failed'
  }
}

/** A channel test asks for a token of its own: it tells whether the key is good. */
async function accessFor(choice: KeyChoice, { egress, clock }: ProbeDeps): Promise<Access> {
  const { tokens } = choice.channel.provider
  const nowMs = clock.nowMs()
  if (tokens === undefined) return { nowMs }
  return { nowMs, accessToken: await openTokens({ egress, clock }).tokenFor(tokens, upstreamOf(choice).key) }
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
    operation,
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
}

/** What the answer says is not looked at: with so few tokens a reasoning model may not come to speak. */
function judge({ status, body }: ExchangeAnswer, { choice, plan, prepared }: Judged): Reading | string {
  const { provider, keys } = choice.channel
  if (status < 200 || status > 299) {
    return `status code ${status}: ${withoutKeys(readUpstreamError(status, body).message, keys)}`
  }
  const { spoken } = prepared
  const { reading } = readWhole(body, {
    asked: plan.operation,
    caller: conversations.chat.caller,
    spoken: prepared.operation,
    readUsage: spoken.readUsage,
    context: { model: plan.model, fallbackId: '0', nowSeconds: 0, inputTokensCounted: 0, wantsUsage: true },
    ...(provider.errorInside && { errorInside: provider.errorInside }),
    ...(spoken.adjustAnswer && { adjustAnswer: spoken.adjustAnswer }),
  })
  return reading.error === undefined ? reading : withoutKeys(reading.error.message, keys)
}

function figuresOf(
  { usage }: Reading,
  { channel, plan, books }: { channel: RosterChannel; plan: Plan; books: ProbeDeps['books'] },
): Pick<ProbeResult, 'usage' | 'units'> {
  if (usage === undefined) return {}
  const units = unitsOf(usage, { channel, plan, books })
  return {
    usage: { inputTokens: inputTokens(usage), outputTokens: outputTokens(usage) },
    ...(units !== undefined && { units }),
  }
}

function unitsOf(
  usage: Usage,
  { channel, plan, books }: { channel: RosterChannel; plan: Plan; books: ProbeDeps['books'] },
): bigint | undefined {
  const group = channel.groups.find((name) => books.prices().hasGroup(name)) ?? ''
  const price = books.prices().find({ model: plan.model, group, acceptsUnpriced: true })
  return price && chargeUnits({ ...price, groupRatio: '1' }, usage)
}
