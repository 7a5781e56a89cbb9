import { UNIX_SECONDS_MAX } from '@tollgate/contract/envelope'
import { NEVER_EXPIRES, TOKEN_NAME_CHARACTERS_MAX } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import type { TokenChange } from '@tollgate/store/accounts/tokens'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import { splitList } from '../comma-list.ts'
import { parseAddresses } from './addresses.ts'
import { type GroupFields, readGroups, type StoredGroups } from './groups.ts'
import { type LimitFields, readLimits, type StoredBudget } from './limits.ts'

/** The fields of a token that a caller may set; a missing field stays unchanged. */
export interface TokenFields extends GroupFields, LimitFields {
  readonly name?: string | undefined
  readonly expired_time?: number | undefined
  readonly unlimited_quota?: boolean | undefined
  readonly model_limits_enabled?: boolean | undefined
  readonly model_limits?: string | undefined
  readonly allow_ips?: string | null | undefined
}

export interface FieldRules {
  readonly snapshots: Snapshots
  readonly ownGroup: string
  /** The current values of the token, or the defaults of a new one. */
  readonly stored: StoredGroups & {
    readonly isLimited: boolean
    readonly models: string
    readonly expiry: number
  } & StoredBudget
  readonly nowSeconds: number
}

/**
 * Validates the fields and returns the columns to write. Throws a problem that names the first invalid field.
 */
export function readFields(fields: TokenFields, rules: FieldRules): TokenChange {
  return {
    ...(fields.name !== undefined && { name: readName(fields.name) }),
    ...(fields.expired_time !== undefined && { expired_time: readExpiry(fields.expired_time, rules) }),
    ...(fields.unlimited_quota !== undefined && { unlimited_quota: fields.unlimited_quota ? 1 : 0 }),
    ...(fields.allow_ips !== undefined && { allow_ips: parseAddresses(fields.allow_ips ?? '') }),
    ...readGroups(fields, rules),
    ...readModels(fields, rules),
    ...readLimits(fields, rules.stored),
  }
}

function readName(text: string): string {
  const name = text.trim()
  if (name === '') throw problem('token_name_missing')
  if (Array.from(name).length > TOKEN_NAME_CHARACTERS_MAX) {
    throw problem('token_name_too_long', { max: TOKEN_NAME_CHARACTERS_MAX })
  }
  return name
}

/**
 * A time in the past is rejected unless it is the stored value, so that an expired token can still be renamed
 * or disabled.
 */
function readExpiry(seconds: number, { stored, nowSeconds }: FieldRules): number {
  if (seconds === NEVER_EXPIRES || seconds === stored.expiry) return seconds
  if (seconds <= 0 || seconds > UNIX_SECONDS_MAX) throw problem('token_expiry_invalid')
  if (seconds <= nowSeconds) throw problem('token_expiry_passed')
  return seconds
}

function readModels(fields: TokenFields, { stored }: FieldRules): TokenChange {
  const isLimited = fields.model_limits_enabled ?? stored.isLimited
  const models = splitList(fields.model_limits ?? stored.models)
  if (isLimited && models.length === 0) throw problem('token_models_missing')
  return { model_limits_enabled: isLimited ? 1 : 0, model_limits: models.join(',') }
}

/** The two states that an owner may set; expired and exhausted are derived. */
export function readStatus(status: number | undefined): number {
  if (status !== TOKEN_STATUS.enabled && status !== TOKEN_STATUS.disabled)
    throw problem('token_status_unknown')
  return status
}
