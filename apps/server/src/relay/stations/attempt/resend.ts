import { StaleConnectionError } from '@tollgate/egress/stale-connection-error'
import { scanObject } from '@tollgate/dialects/json-scan'
import { factsOf } from '@tollgate/dialects/traits/facts'
import type { ChannelSettings } from '@tollgate/providers/channel-settings'
import { isRecord, parseJson } from '@tollgate/kit/json'
import type { AttemptApp } from '../../app.ts'
import type { Call } from '../../call.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Prepared } from './prepare.ts'

export interface ResendInput {
  readonly held: {
    readonly call: Pick<Call, 'id' | 'hasResent' | 'isGone' | 'startedAt'>
    readonly operation: Pick<Operation, 'isResendable'>
  }
  readonly channel: { readonly settings: Pick<ChannelSettings, 'resendsClosed'> }
  readonly prepared: Pick<Prepared, 'body' | 'model' | 'operation'> & {
    readonly endpoint: Pick<Prepared['endpoint'], 'asyncJob'>
  }
  readonly app: {
    readonly ledger: Pick<AttemptApp['ledger'], 'isHeld'>
    readonly limits: Pick<AttemptApp['limits'], 'retryMs'>
    readonly now: AttemptApp['now']
  }
}

/** How long after the write a channel whose operator allows it counts a close as one of an idle connection. */
const ALLOWED_MS = 250

/**
 * Whether the request of an attempt may be sent once more, on a fresh connection of the same channel: its reused
 * connection was closed sooner than the vendor could have read it, or within the time that the operator allows.
 */
export function canResend(error: Error, { held, channel, prepared, app }: ResendInput): boolean {
  if (!(error instanceof StaleConnectionError)) return false
  const { call } = held
  const isSoon = error.isUnread || (channel.settings.resendsClosed && error.afterMs <= ALLOWED_MS)
  if (!isSoon || call.hasResent || call.isGone || !app.ledger.isHeld(call.id)) return false
  if (app.now() - call.startedAt >= app.limits.retryMs) return false
  return isPlainInference(held, prepared)
}

/** Only text and vectors: what a vendor keeps, draws, films or speaks is never asked for twice. */
function isPlainInference(
  { operation }: ResendInput['held'],
  { endpoint, body, model, operation: wire }: ResendInput['prepared'],
): boolean {
  if (operation.isResendable !== true || endpoint.asyncJob !== undefined || !Buffer.isBuffer(body))
    return false
  const { output } = factsOf(model)
  if (output?.some((modality) => modality !== 'text' && modality !== 'embedding') === true) return false
  return !keepsOrDraws(body, wire === 'responses')
}

/** Members that continue or store something with the vendor; `null` and `false` are as good as absent. */
const KEEPING = new Set(['background', 'container', 'conversation', 'previous_response_id', 'store'])
const MODALITIES = new Set(['modalities', 'responseModalities', 'response_modalities'])
const CONFIGS = new Set(['generationConfig', 'generation_config'])
const TOOLS_THAT_MAKE = /"(?:image_generation|code_interpreter|code_execution[\w]*|computer[\w]*)"/

/** The Responses API stores every response unless it is told not to. */
function keepsOrDraws(body: Buffer, isStoredByDefault: boolean): boolean {
  const { members, close } = scanObject(body)
  if (close === -1) return true
  let isStored = isStoredByDefault
  for (const { name, valueStart, valueEnd } of members) {
    const read = () => parseJson(body.subarray(valueStart, valueEnd))
    if (name === 'store') isStored = (read() ?? isStoredByDefault) !== false
    else if (KEEPING.has(name) && isSet(read())) return true
    else if (MODALITIES.has(name) && hasOtherThanText(read())) return true
    else if (CONFIGS.has(name) && configDraws(read())) return true
    else if (name === 'tools' && TOOLS_THAT_MAKE.test(body.toString('latin1', valueStart, valueEnd)))
      return true
  }
  return isStored
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

function configDraws(value: unknown): boolean {
  return isRecord(value) && [...MODALITIES].some((name) => hasOtherThanText(value[name]))
}

function hasOtherThanText(value: unknown): boolean {
  return isSet(value) && !(Array.isArray(value) && value.every((each) => /^text$/i.test(String(each))))
}
