import { normalEmail, usernameKey } from '@tollgate/store/accounts/user-normalization'
import { text, whole } from './cell.ts'
import type { Source, SourceRow } from './source.ts'

/**
 * Decides which user keeps a value that must be unique in Tollgate. The source checks e-mail addresses and
 * identities only in its program, not in the database, and treats `Alice` and `alice` as two names. The user
 * with the lowest id who is not deleted keeps the value.
 */
export interface Claims {
  /** The id of the user who keeps the value. */
  holder(field: ClaimedField, value: string): number | undefined
  /** Ids of all users, including deleted ones. */
  readonly userIds: ReadonlySet<number>
}

export const CLAIMED_FIELDS = [
  'username',
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'aff_code',
  'access_token',
] as const
export type ClaimedField = (typeof CLAIMED_FIELDS)[number]

export async function collectClaims(source: Source): Promise<Claims> {
  const holders = new Map(CLAIMED_FIELDS.map((field) => [field, new Map<string, Holder>()]))
  const userIds = new Set<number>()
  for await (const rows of source.pages('users')) {
    for (const row of rows) {
      userIds.add(whole(row, 'id'))
      const claimant = { id: whole(row, 'id'), isLive: (row['deleted_at'] ?? null) === null }
      for (const [field, byValue] of holders) claim(byValue, claimedValue(row, field), claimant)
    }
  }
  return { holder: (field, value) => holders.get(field)?.get(value)?.id, userIds }
}

/** The longest text that an index holds on every engine. */
const CHARACTERS_MAX = 255

/**
 * The value in the form in which Tollgate compares it. Empty when the user has none, or when it is longer
 * than any real value.
 */
export function claimedValue(row: SourceRow, field: ClaimedField): string {
  const value = normalForm[field]?.(text(row, field)) ?? text(row, field).trim()
  return value.length > CHARACTERS_MAX ? '' : value
}

const normalForm: { readonly [Field in ClaimedField]?: (value: string) => string } = {
  username: usernameKey,
  email: normalEmail,
}

interface Holder {
  readonly id: number
  readonly isLive: boolean
}

/**
 * Rows come by ascending id, so an earlier claim stands unless it is a deleted user's and the new one is not.
 */
function claim(byValue: Map<string, Holder>, value: string, claimant: Holder): void {
  if (value === '') return
  const holder = byValue.get(value)
  if (!holder || (claimant.isLive && !holder.isLive)) byValue.set(value, claimant)
}
