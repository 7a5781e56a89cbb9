import { usedOf } from '@tollgate/billing/buckets'
import { contextTierOf } from '@tollgate/billing/context-tiers'
import type { Price } from '@tollgate/billing/price'
import type { PricedPart } from '@tollgate/billing/priced-parts'
import type { Usage } from '@tollgate/dialects/usage'
import type { Problem } from '@tollgate/problems/problem'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { Call } from '../../call.ts'
import type { Outcome } from '../../outcome.ts'
import { clientOf } from '../../sessions/client.ts'
import type { Caller } from '../admit/caller.ts'
import type { Held } from '../hold/held.ts'

/** The fields of a log row that are not taken from the call. */
export interface RowParts {
  readonly type: number
  /** Why a call failed. Empty for a row with an event in its `other`. */
  readonly content?: string
  readonly other: string
  /** The requested model by default. */
  readonly model?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** What the call cost the operator, where that is known. */
  readonly cost?: bigint | undefined
  readonly cachedTokens?: number
  readonly cacheSaved?: bigint
}

/** A call with a known caller; the rest is missing if the call was refused before it was known. */
export interface KnownCall {
  readonly call: Call
  readonly caller: Caller
  readonly ask?: { readonly model: string; readonly isStream?: boolean }
  /** The group that served the call, or refused it. */
  readonly group?: string
  readonly session?: string | undefined
}

/**
 * Builds the log row of a call that ended at the monotonic time `now`: at its settlement, just before the end
 * of the answer is sent. The ledger fills in the quota.
 */
export function rowOf(
  { call, caller, ask, group = '', session }: KnownCall,
  now: number,
  parts: RowParts,
): UsageLogRow {
  const durationMs = Math.round(now - call.startedAt)
  const client = clientOf(call.request.headers['user-agent'])
  return {
    request_id: call.id,
    user_id: caller.owner.id,
    created_at: Math.floor(call.startedMs / 1000),
    type: parts.type,
    content: parts.content ?? '',
    username: caller.owner.username,
    token_id: caller.token?.id ?? 0,
    token_name: caller.token ? caller.token.name : `playground-${group}`,
    model_name: parts.model ?? ask?.model ?? '',
    quota: 0n,
    prompt_tokens: parts.inputTokens ?? 0,
    completion_tokens: parts.outputTokens ?? 0,
    use_time: Math.round(durationMs / 1000),
    duration_ms: durationMs,
    first_byte_ms: call.firstByteAt === undefined ? 0 : Math.round(call.firstByteAt - call.startedAt),
    is_stream: ask?.isStream ? 1 : 0,
    channel_id: call.trail.at(-1)?.channelId ?? 0,
    group_name: group,
    ip: caller.address,
    other: parts.other,
    cost: parts.cost ?? null,
    session: session ?? null,
    client: client.name,
    client_version: client.version,
    cached_tokens: parts.cachedTokens ?? null,
    cache_saved: parts.cacheSaved ?? null,
    upstream_request_id: call.trail.at(-1)?.upstreamRequestId ?? null,
  }
}

/** The figures a person needs to check the charge. Callers can see them too, so channels are not included. */
export function receiptOf(
  { price, units, ceiling, holdMs }: Pick<Held, 'price' | 'units' | 'ceiling' | 'holdMs'>,
  usage?: Usage,
  parts: readonly PricedPart[] = [],
): Record<string, unknown> {
  return {
    price_version: price.version,
    price_model: price.model,
    quota_per_unit: price.quotaPerUnit,
    usage: usage && usedOf(usage),
    price: usage && (parts.length > 0 || needsPrice(usage, price)) ? frozenPrice(price, usage) : undefined,
    parts: parts.length === 0 ? undefined : parts.map(writePart),
    held: units.toString(),
    ceiling: ceiling.toString(),
    hold_ms: Math.round(holdMs * 10) / 10,
  }
}

/**
 * Request members that were not sent to the upstream; the caller sees the same names in `x-tollgate-dropped`.
 */
export function droppedOf({ dropped }: Call): { readonly dropped?: readonly string[] } {
  return dropped.length === 0 ? {} : { dropped }
}

/** When the caller left, for calls whose vendor worked on, and whether the gateway ended them for that. */
export function describeLeaving({ goneAt, startedAt }: Call, exit: Outcome): Record<string, unknown> {
  if (goneAt === undefined) return {}
  return { left_ms: Math.round(goneAt - startedAt), left_end: leavingEnd(exit) }
}

function leavingEnd(exit: Outcome): 'displaced' | 'unsent' | undefined {
  if (exit.type === 'failed') return exit.failure.detail === 'left-unsent' ? 'unsent' : undefined
  return exit.ending === 'displaced' ? 'displaced' : undefined
}

/** Lessons by which the request was changed, because the provider refused the caller's form before. */
export function lessonsOf({ lessons }: Call): { readonly lessons?: readonly string[] } {
  return lessons.length === 0 ? {} : { lessons }
}

/** The channels that were tried; shown to operators only. */
export function adminInfo({ call, group: last }: Pick<Held, 'call' | 'group'>): Record<string, unknown> {
  return {
    use_channel: call.trail.map(({ channelId }) => String(channelId)),
    attempts: call.trail.map(
      ({ channelId, keyIndex, group, outcome, status, durationMs, lesson, isResent, upstreamRequestId }) => ({
        channel: channelId,
        group: group === last ? undefined : group,
        key: keyIndex,
        outcome,
        status,
        ms: Math.round(durationMs),
        lesson,
        resent: isResent,
        upstream_id: upstreamRequestId,
      }),
    ),
  }
}

/**
 * new-api's ratio fields describe only the price of text. A call that used anything else needs the whole
 * price in its row.
 */
function needsPrice(usage: Usage, { contextTiers }: Price): boolean {
  const { cacheWrite1h, inputImage, inputAudio, outputAudio, outputImage } = usage
  const { toolCalls, images, serviceTier } = usage
  if (images !== undefined || serviceTier !== undefined) return true
  if (contextTierOf(contextTiers, usage) !== undefined) return true
  return cacheWrite1h + inputImage + inputAudio + outputAudio + outputImage > 0 || toolCalls !== undefined
}

/** A step of the call that was charged beside its own usage. */
function writePart({ kind, model, price, usage }: PricedPart): Record<string, unknown> {
  return { kind, model, price_model: price.model, price: frozenPrice(price, usage), usage: usedOf(usage) }
}

/** A price names the fees of every vendor among the candidates; the row needs those that were used. */
function frozenPrice(
  { version, groupRatio, quotaPerUnit, rule, picture, toolPrices = {}, tierRatios, contextTiers }: Price,
  { toolCalls = {} }: Usage,
): Record<string, unknown> {
  const used = Object.entries(toolPrices).filter(([name]) => Object.hasOwn(toolCalls, name))
  const prices = used.length === 0 ? undefined : Object.fromEntries(used)
  return {
    version,
    groupRatio,
    quotaPerUnit,
    rule,
    picture,
    toolPrices: prices,
    tierRatios,
    contextTiers,
  }
}

/**
 * The code and parameters of a Problem, stored next to its English text in `other` of a log row or `detail`
 * of a task, so that the text can be shown in another language.
 */
export interface ProblemNote {
  readonly problem: { readonly code: string; readonly parameters: Readonly<Record<string, string>> }
}

export function problemNote(problem: Problem): ProblemNote {
  const names = Object.keys(problem.parameters)
  const texts = names.map((name) => [name, problem.parameter(name)])
  return { problem: { code: problem.code, parameters: Object.fromEntries(texts) } }
}
