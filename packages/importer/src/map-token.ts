import { isIP } from 'node:net'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import type { NewToken } from '@tollgate/store/accounts/tokens'
import { flag, moment, seconds, text, units, whole } from './cell.ts'
import { type OpeningBalance, sanitizeAmounts } from './figures.ts'
import type { MapOptions } from './map-user.ts'
import type { Note, NoteCode } from './note.ts'
import type { SourceRow } from './source.ts'

export interface MappedToken {
  /** The row without its key, which is stored hashed and encrypted. */
  readonly row: Omit<NewToken, 'key_hash' | 'key_sealed' | 'key_preview'> & {
    readonly id: number
    readonly accessed_time: number
    readonly deleted_ms: number | null
  }
  /** The key without `sk-`; empty when there is none. */
  readonly key: string
  readonly figures: OpeningBalance
  readonly notes: readonly Note[]
}

export function mapToken(row: SourceRow, { nowMs }: MapOptions): MappedToken {
  const notes: Note[] = []
  const id = whole(row, 'id')
  const note = (code: NoteCode, detail: string): unknown => notes.push({ table: 'tokens', id, code, detail })
  const isUnlimited = flag(row, 'unlimited_quota')
  const { figures, notes: doubts } = figuresOf(row, { id, isUnlimited, note })
  return {
    row: {
      id,
      user_id: whole(row, 'user_id'),
      name: text(row, 'name'),
      status: statusOf(row, note),
      created_time: seconds(row, 'created_time'),
      accessed_time: seconds(row, 'accessed_time'),
      expired_time: whole(row, 'expired_time', NEVER_EXPIRES),
      unlimited_quota: isUnlimited,
      model_limits_enabled: flag(row, 'model_limits_enabled'),
      model_limits: text(row, 'model_limits'),
      allow_ips: addressesOf(row, note),
      group_name: text(row, 'group').trim().slice(0, 255),
      deleted_ms: moment(row, 'deleted_at', nowMs),
    },
    key: text(row, 'key').trim(),
    figures,
    notes: [...notes, ...doubts],
  }
}

type AddNote = (code: NoteCode, detail: string) => unknown

const NEVER_EXPIRES = -1

function statusOf(row: SourceRow, note: AddNote): number {
  const status = whole(row, 'status', TOKEN_STATUS.enabled)
  if (status >= TOKEN_STATUS.enabled && status <= TOKEN_STATUS.exhausted) return status
  note('token-status-unknown', `status ${status}`)
  return TOKEN_STATUS.disabled
}

/**
 * The source also decrements the balance of an unlimited token, so a negative balance of such a token means
 * nothing and becomes zero.
 */
function figuresOf(row: SourceRow, about: { id: number; isUnlimited: 0 | 1; note: AddNote }) {
  const claimed = units(row, 'remain_quota')
  const remaining = about.isUnlimited === 1 && claimed < 0n ? 0n : claimed
  if (remaining !== claimed) about.note('token-balance-ignored', `remaining ${claimed}`)
  return sanitizeAmounts({ table: 'tokens', id: about.id, remaining, used: units(row, 'used_quota') })
}

/**
 * One address or range per line. The source ignores lines that it cannot read, so a list of only such lines
 * allows every address there. In Tollgate such a list allows no address, so the import report names tokens
 * with unreadable lines.
 */
function addressesOf(row: SourceRow, note: AddNote): string {
  const lines = text(row, 'allow_ips')
    .split(/[\s,]+/)
    .filter((line) => line !== '')
  const unreadable = lines.filter((line) => !isAddressOrRange(line))
  if (unreadable.length > 0) note('token-address-unreadable', unreadable.slice(0, 3).join(' '))
  return lines.join('\n')
}

function isAddressOrRange(line: string): boolean {
  const [address = '', bits] = line.split('/', 2)
  const version = isIP(address)
  if (version === 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}
