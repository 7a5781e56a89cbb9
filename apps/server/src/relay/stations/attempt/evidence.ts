import type { UpstreamError } from '@tollgate/dialects/dialect'
import type { Evidence } from './failure.ts'

const certainCodes = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const likelyTypes = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/**
 * The message of these errors was written by the model, not by the vendor, so it says nothing about the key.
 */
const saidByModels = new Set(['no_image'])

const TYPE_GEMINI = 24

export interface EvidenceInput {
  /** The status after status mapping: an operator who maps 401 to another status also prevents disabling. */
  readonly status: number
  readonly error: UpstreamError
  readonly channelType: number
  /** In lower case. */
  readonly keywords: readonly string[]
}

/**
 * What an upstream's error says about the key that was used. Keywords are searched in the upstream's original
 * message and code, before these are hidden from callers. A caller can provoke some of these texts, so they
 * only count as likely evidence.
 */
export function evidenceOf({ status, error, channelType, keywords }: EvidenceInput): Evidence {
  if (status === 401 || (status === 403 && channelType === TYPE_GEMINI)) return 'certain'
  if (certainCodes.has(error.code)) return 'certain'
  if (likelyTypes.has(error.type)) return 'likely'
  if (saidByModels.has(error.code)) return 'none'
  const texts = [error.message.toLowerCase(), error.code.toLowerCase()]
  return keywords.some((keyword) => texts.some((text) => text.includes(keyword))) ? 'likely' : 'none'
}
