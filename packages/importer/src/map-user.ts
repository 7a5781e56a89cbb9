import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { sha256Hex } from '@tollgate/kit/ids'
import { parseObject } from '@tollgate/kit/json'
import { isCostlyPassword } from '@tollgate/kit/password-cost'
import type { UserTable } from '@tollgate/store/tables/accounts'
import { normalEmail, usernameKey } from '@tollgate/store/accounts/user-normalization'
import { moment, text, units, whole } from './cell.ts'
import { type ClaimedField, type Claims, claimedValue } from './claims.ts'
import { type OpeningBalance, sanitizeAmounts } from './figures.ts'
import type { Note, NoteCode } from './note.ts'
import type { SourceRow } from './source.ts'

export interface MappedUser {
  readonly row: Omit<UserTable, 'id' | 'has_default_password' | 'remark'> & {
    readonly id: number
    readonly remark: string
  }
  readonly own: OpeningBalance
  /** Referral rewards: the total earned by inviting users, less what was moved to the user's own balance. */
  readonly affiliate: OpeningBalance
  readonly calls: number
  readonly notes: readonly Note[]
}

export interface MapOptions {
  readonly nowMs: number
}

export function mapUser(row: SourceRow, { claims, nowMs }: MapOptions & { claims: Claims }): MappedUser {
  const notes = new UserNotes(whole(row, 'id'))
  const { id } = notes
  const username = usernameOf(row, claims, notes)
  const binding = (field: ClaimedField): string => bindingOf(row, { field, claims, notes })
  const accessToken = binding('access_token')
  return {
    row: {
      id,
      username,
      username_key: usernameKey(username),
      password_hash: passwordOf(row, notes),
      display_name: text(row, 'display_name'),
      role: roleOf(row, notes),
      status: statusOf(row, notes),
      email: normalEmail(binding('email')),
      github_id: binding('github_id'),
      oidc_id: binding('oidc_id'),
      wechat_id: binding('wechat_id'),
      telegram_id: binding('telegram_id'),
      linux_do_id: binding('linux_do_id'),
      access_token_hash: accessToken === '' ? null : sha256Hex(accessToken),
      group_name: text(row, 'group').trim().slice(0, 255) || 'default',
      aff_code: binding('aff_code'),
      aff_count: whole(row, 'aff_count'),
      inviter_id: whole(row, 'inviter_id'),
      setting: settingOf(row, notes),
      remark: text(row, 'remark').slice(0, 255),
      last_check_in_ms: moment(row, 'last_check_in_time', nowMs),
      created_ms: whole(row, 'created_at') * 1000 || nowMs,
      deleted_ms: moment(row, 'deleted_at', nowMs),
    },
    own: notes.sound({ remaining: units(row, 'quota'), used: units(row, 'used_quota') }),
    affiliate: affiliateOf(row, notes),
    calls: Math.max(0, whole(row, 'request_count')),
    notes: notes.all,
  }
}

class UserNotes {
  readonly all: Note[] = []
  readonly id: number

  constructor(id: number) {
    this.id = id
  }

  add(code: NoteCode, detail: string): void {
    this.all.push({ table: 'users', id: this.id, code, detail })
  }

  sound(claimed: OpeningBalance): OpeningBalance {
    const { figures, notes } = sanitizeAmounts({ table: 'users', id: this.id, ...claimed })
    this.all.push(...notes)
    return figures
  }
}

const USERNAME_CHARACTERS_KEPT = 200

/**
 * The user's name. If another user keeps that name, a free one is built from it and the user's id, the same
 * one on every run.
 */
function usernameOf(row: SourceRow, claims: Claims, notes: UserNotes): string {
  const username = text(row, 'username')
  const { id } = notes
  if (claims.holder('username', claimedValue(row, 'username')) === id) return username
  let other = `${username.slice(0, USERNAME_CHARACTERS_KEPT) || 'user'}-${id}`
  while (claims.holder('username', usernameKey(other)) !== undefined) other += '-x'
  notes.add('user-renamed', `${JSON.stringify(username)} is ${JSON.stringify(other)} now`)
  return other
}

interface Binding {
  readonly field: ClaimedField
  readonly claims: Claims
  readonly notes: UserNotes
}

function bindingOf(row: SourceRow, { field, claims, notes }: Binding): string {
  const value = claimedValue(row, field)
  if (value === '') return ''
  const holder = claims.holder(field, value)
  if (holder === notes.id) return value
  const what = field === 'access_token' ? field : `${field} ${value}`
  notes.add('user-binding-dropped', `${what} stays with user ${holder}`)
  return ''
}

/**
 * Hashes that the next sign-in can verify. A bcrypt hash is verified and then replaced; an empty hash belongs
 * to a user who signs in only through a provider.
 */
const PROVABLE = /^(\$2[aby]\$\d\d\$.{53}|\$argon2.*|)$/

function passwordOf(row: SourceRow, notes: UserNotes): string {
  const hash = text(row, 'password')
  if (isCostlyPassword(hash)) {
    notes.add('password-cost', /^\$\w+\$[^$]*(\$m=[^$]*)?/.exec(hash)?.[0] ?? '')
    return UNUSABLE
  }
  if (!PROVABLE.test(hash)) notes.add('user-password-foreign', 'the form of the password is not known')
  return hash
}

/** No password fits it, and it is not the empty hash of an account that signs in through a provider. */
const UNUSABLE = '$unusable$'

const ROLES: ReadonlySet<number> = new Set([USER_ROLE.user, USER_ROLE.admin, USER_ROLE.root])

function roleOf(row: SourceRow, notes: UserNotes): number {
  const role = whole(row, 'role', USER_ROLE.user)
  if (ROLES.has(role)) return role
  notes.add('user-role-unknown', `role ${role}`)
  return USER_ROLE.user
}

function statusOf(row: SourceRow, notes: UserNotes): number {
  const status = whole(row, 'status', USER_STATUS.enabled)
  if (status === USER_STATUS.enabled || status === USER_STATUS.disabled) return status
  notes.add('user-status-unknown', `status ${status}`)
  return USER_STATUS.disabled
}

function settingOf(row: SourceRow, notes: UserNotes): string {
  const setting = text(row, 'setting').trim()
  if (setting === '' || setting === 'null') return ''
  const members = parseObject(setting)
  if (members === undefined) {
    notes.add('user-setting-dropped', 'the settings are no JSON object')
    return ''
  }
  const { webhook_url: webhook } = members
  if (typeof webhook === 'string' && /^\s*http:/i.test(webhook))
    notes.add('user-webhook-plain', `the host is ${URL.parse(webhook.trim())?.host ?? 'unreadable'}`)
  return setting
}

/**
 * Splits the total ever earned into what is left (`remaining`) and what was already moved or spent (`used`).
 */
function affiliateOf(row: SourceRow, notes: UserNotes): OpeningBalance {
  const remaining = units(row, 'aff_quota')
  const earned = units(row, 'aff_history')
  if (earned >= remaining) return notes.sound({ remaining, used: earned - remaining })
  notes.add('figures-differ', `rewards ${remaining} are more than ${earned} ever earned`)
  return notes.sound({ remaining, used: 0n })
}
