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

/** Their text is what a model said to its caller, and not what its vendor says of the call. */
const saidByModels = new Set(['no_image'])

const TYPE_GEMINI = 24

export interface EvidenceInput {
  /** After status mapping: an operator who maps 401 away also prevents disabling. */
  readonly status: number
  readonly error: UpstreamError
  readonly channelType: number
  /** Lower case. */
  readonly keywords: readonly string[]
}

/**
 * What an upstream's error says about the key that was used. Words are searched in the upstream's own text and code, before
 * they are hidden from callers; since a caller can provoke some of these texts, they only count as likely.
 */
export function evidenceOf({ status, error, channelType, keywords }: EvidenceInput): Evidence {
  if (status === 401 || (status === 403 && channelType === TYPE_GEMINI)) return 'certain'
  if (certainCodes.has(error.code)) return 'certain'
  if (likelyTypes.has(error.type)) return 'likely'
  if (saidByModels.has(error.code)) return 'none'
  const texts = [error.message.toLowerCase(), error.code.toLowerCase()]
  return keywords.some((keyword) => texts.some((text) => text.includes(keyword))) ? 'likely' : 'none'
}
