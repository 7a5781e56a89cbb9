import type { DialectName } from '@tollgate/dialects/canonical/raw'
import { genericError, translateError } from '@tollgate/dialects/canonical/translate-error'
import type { OriginalTools } from '@tollgate/dialects/canonical/portable-tools'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import { readErrorDetails, readRetryInfo } from '@tollgate/dialects/canonical/error-details'
import { readUpstreamError } from '@tollgate/dialects/errors/render-error'
import { Problem, problem, type ProblemCode, type ProblemParameters } from '@tollgate/problems/problem'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import type { Held } from '../hold/held.ts'
import { evidenceOf } from './evidence.ts'
import type { AttemptFailure, FailureAnswer } from './failure.ts'
import { upstreamModel } from '../../upstream-model.ts'

export interface VerdictContext {
  readonly channel: RosterChannel
  readonly settings: RelaySettings
  /** The caller's dialect, for conversations: refusals that clients react to are written in its terms. */
  readonly dialect?: DialectName | undefined
  /** The dialect in which the caller gets errors, for every operation. */
  readonly told?: DialectName | undefined
  /** The model as the caller named it, and its name at the upstream; computed only for an error. */
  readonly names?: () => { readonly asked: string; readonly sent: string }
  /** The caller's tools by the names that the upstream was given for them. */
  readonly tools?: OriginalTools | undefined
}

/** The context for judging upstream responses to a call. */
export function verdictContext(
  { operation, call, settings, ask, candidates }: ContextCall,
  channel: RosterChannel,
  tools?: OriginalTools,
): VerdictContext {
  const { name } = call.dialect
  return {
    channel,
    settings,
    dialect: operation.isConversation ? name : undefined,
    told: name,
    names: () => {
      const names = { asked: ask.model, offered: candidates.model }
      return { asked: ask.model, sent: upstreamModel(channel, names) ?? ask.model }
    },
    tools,
  }
}

type ContextCall = Pick<Held, 'operation' | 'call' | 'settings' | 'ask' | 'candidates'>

/** Parses the upstream's own error format. */
export type ErrorReader = (status: number, bytes: Buffer) => UpstreamError

/** The failure for a response with an error status. */
export function verdictOfStatus(
  answer: { status: number; bytes: Buffer; retryAfterMs: number | undefined; read?: ErrorReader | undefined },
  context: VerdictContext,
): AttemptFailure {
  const error = (answer.read ?? readUpstreamError)(answer.status, answer.bytes)
  const verdict = verdictOfError(error, { ...context, retryAfterMs: answer.retryAfterMs })
  return { ...verdict, vendorError: { ...error, raw: undefined } }
}

/** The failure for an error object, whether it came with an error status or inside a 200 response. */
export function verdictOfError(
  reported: UpstreamError,
  context: VerdictContext & { retryAfterMs?: number | undefined },
): AttemptFailure {
  const { channel, retryAfterMs = readRetryInfo(reported.raw), settings } = context
  const error = withoutKeysInside(reported, context)
  const status = channel.statusMapping.get(error.status) ?? error.status
  const { automaticDisableKeywords: keywords } = settings
  return {
    blame: 'upstream',
    code: error.code === '' ? 'upstream_error' : error.code,
    status: callerStatus(status),
    answer: answerOf(withToolNames(error, context.tools), context),
    isRetryable: isRetryable(status, channel.type),
    evidence: evidenceOf({ status, error, channelType: channel.type, keywords }),
    detail: error.message,
    retryAfterMs,
  }
}

/** The failure for a problem before any usable response. `isRetryable` by default. */
export function verdictOfProblem(
  code: ProblemCode,
  { parameters = {}, detail = '', isRetryable = true }: ProblemVerdict = {},
): AttemptFailure {
  return problemFailure(problem(code, parameters), { detail, isRetryable })
}

export interface ProblemVerdict {
  readonly parameters?: ProblemParameters
  readonly detail?: string
  readonly isRetryable?: boolean
}

/**
 * The failure for an exception during preparation. A Problem means that the channel is misconfigured and
 * another one may work; anything else is a bug.
 */
export function verdictOfThrown(thrown: unknown): AttemptFailure {
  if (thrown instanceof Problem) return problemFailure(thrown, { detail: thrown.message, isRetryable: true })
  return problemFailure(problem('internal_error'), { detail: 'internal error', isRetryable: false })
}

function problemFailure(known: Problem, rest: { detail: string; isRetryable: boolean }): AttemptFailure {
  const { fault, status } = known.definition
  return {
    blame: fault,
    code: known.code,
    status,
    answer: { type: 'problem', problem: known },
    evidence: 'none',
    retryAfterMs: undefined,
    ...rest,
  }
}

function withoutKeysInside(error: UpstreamError, context: VerdictContext): UpstreamError {
  const keys = secretsOf(context.channel)
  const clean = (text: string) => withoutKeys(text, keys)
  const { message, type, code, param } = error
  const words = { message: clean(message), type: clean(type), code: clean(code) }
  const details = readDetails(error, context, clean)
  return { ...error, ...words, param: param === null ? null : clean(param), raw: undefined, details }
}

/** In the words of the caller, who does not know a name that was shortened, or joined with its namespace. */
function withToolNames(error: UpstreamError, tools: OriginalTools | undefined): UpstreamError {
  if (tools === undefined || tools.size === 0) return error
  const { message, param } = error
  const restore = (text: string) => restoreToolNames(text, tools)
  return { ...error, message: restore(message), param: param === null ? null : restore(param) }
}

function restoreToolNames(text: string, tools: OriginalTools | undefined): string {
  let restored = text
  for (const [sent, { name, namespace }] of tools ?? [])
    if (sent !== name)
      restored = restored.replaceAll(sent, namespace === undefined ? name : `${namespace}.${name}`)
  return restored
}

function readDetails(
  error: UpstreamError,
  { told, names, tools, settings }: VerdictContext,
  clean: (text: string) => string,
): UpstreamError['details'] {
  if (told === undefined || error.raw === undefined || settings.isUpstreamErrorHidden) return undefined
  const { asked, sent } = names?.() ?? { asked: '', sent: '' }
  const restore = (text: string) =>
    restoreToolNames(clean(sent === asked ? text : text.replaceAll(sent, asked)), tools)
  return readErrorDetails(told, error, restore)
}

/** A channel's keys, and the secrets inside keys that consist of several parts. */
export function secretsOf({ keys, provider }: RosterChannel): readonly string[] {
  const { renewal } = provider
  return renewal === undefined ? keys : [...keys, ...keys.flatMap((key) => renewal.secretsOf(key))]
}

/** Some upstreams repeat the refused key in their error, and not every key can be recognised by its form. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  return keys.reduce((clean, key) => (key.length < 6 ? clean : clean.replaceAll(key, '***')), text)
}

/**
 * A 429 keeps its own text even where upstream errors are hidden: the renderer writes that the group is
 * saturated.
 */
function answerOf(error: UpstreamError, { channel, settings, dialect }: VerdictContext): FailureAnswer {
  const isHidden = settings.isUpstreamErrorHidden
  const words = isHidden ? genericError : translateError
  const translated = dialect === undefined ? undefined : words(dialect, error)
  if (translated !== undefined) {
    const isMapped = channel.statusMapping.has(error.status)
    return { type: 'upstream', error: translated, ...(!isMapped && { status: translated.status }) }
  }
  if (!isHidden || error.status === 429) return { type: 'upstream', error }
  return { type: 'problem', problem: problem('upstream_error_hidden', { status: error.status }) }
}

const TYPE_ANTHROPIC = 14
/**
 * Statuses for a timeout at the upstream. It may still be working, so a second attempt could double the cost.
 */
const upstreamTimeouts = new Set([504, 524])

function isRetryable(status: number, channelType: number): boolean {
  if (status === 429 || status === 307) return true
  if (status >= 500) return !upstreamTimeouts.has(status)
  if (status === 400) return channelType === TYPE_ANTHROPIC
  return status !== 408 && !(status >= 200 && status < 300)
}

/**
 * Always an error status for the caller; a status outside 400-599, from an upstream or a mapping, becomes
 * 502.
 */
function callerStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502
}
