import { normalEmail, usernameKey } from '@tollgate/store/user-spellings'
import { text, whole } from './cell.ts'
import type { Source, SourceRow } from './source.ts'

/**
 * Who keeps what only one user may have here. The source checks e-mail addresses and identities in its program alone, and
 * takes `Alice` and `alice` for two names; the live user with the lowest id keeps them.
 */
export interface Claims {
  /** The id of the user who keeps the value. */
  holder(field: ClaimedField, value: string): number | undefined
  /** Everybody there is, deleted ones too. */
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

/** What an indexed text may have on every engine. */
const CHARACTERS_MAX = 255

/** As it is compared here; empty when the user has none, or one that is longer than any real one. */
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

/** Rows come by ascending id, so an earlier claim of the same kind stands. */
function claim(byValue: Map<string, Holder>, value: string, claimant: Holder): void {
  if (value === '') return
  const holder = byValue.get(value)
  if (!holder || (claimant.isLive && !holder.isLive)) byValue.set(value, claimant)
}
