import { isIP } from 'node:net'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { parseJson } from '@tollgate/kit/json'
import type { NewToken } from '@tollgate/store/accounts/tokens'
import { code, flag, moment, seconds, text, units, whole } from './cell.ts'
import { type OpeningBalance, bounded, sanitizeAmounts } from './figures.ts'
import type { MapOptions } from './map-user.ts'
import type { Note, NoteCode } from './note.ts'
import type { SourceRow } from './source.ts'

export interface MappedToken {
  /** The row without its key, which is stored hashed and encrypted. */
  readonly row: Omit<NewToken, 'key_hash' | 'key_sealed' | 'key_preview'> & {
    readonly id: number
    readonly accessed_time: number
    readonly deleted_ms: number | null
    readonly group_order: string
    readonly cross_group_retry: 0 | 1
    readonly rpm_limit: number
    readonly tpm_limit: number
    readonly max_parallel_requests: number
    readonly budget_quota: bigint
    readonly budget_period: string
  }
  /** The key without `sk-`; empty when there is none. */
  readonly key: string
  /** The hash of the whole key, where the source knows nothing else of it. */
  readonly wholeHash: string
  readonly preview: string
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
      ...readModels(row),
      allow_ips: addressesOf(row, note),
      group_name: text(row, 'group').trim().slice(0, 255),
      group_order: readGroupOrder(row, note),
      cross_group_retry: flag(row, 'cross_group_retry'),
      rpm_limit: Math.max(0, code(row, 'rpm_limit')),
      tpm_limit: Math.max(0, code(row, 'tpm_limit')),
      max_parallel_requests: Math.max(0, code(row, 'max_parallel_requests')),
      budget_quota: bounded(units(row, 'budget_quota')),
      budget_period: text(row, 'budget_period'),
      deleted_ms: moment(row, 'deleted_at', nowMs),
    },
    key: text(row, 'key').trim(),
    wholeHash: text(row, 'whole_key_hash').trim().toLowerCase(),
    preview: text(row, 'key_preview').slice(0, 64),
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

/** one-api has no switch: a list of models limits the token. */
function readModels(row: SourceRow): Pick<MappedToken['row'], 'model_limits_enabled' | 'model_limits'> {
  const models = text(row, 'models').trim()
  if (models !== '') return { model_limits_enabled: 1, model_limits: models }
  return {
    model_limits_enabled: flag(row, 'model_limits_enabled'),
    model_limits: text(row, 'model_limits'),
  }
}

const GROUPS_CHARACTERS_MAX = 255

/**
 * The groups of a token of group `auto`, as a JSON list or separated by commas; none is the site's order. Of a
 * list that is too long the first ones are kept, so that the token never gets more groups than it had.
 */
function readGroupOrder(row: SourceRow, note: AddNote): string {
  const stored = text(row, 'auto_groups').trim()
  const list: unknown = stored.startsWith('[') ? parseJson(stored) : stored.split(',')
  const groups = (Array.isArray(list) ? list : []).map((group) => String(group).trim())
  const named = groups.filter((group) => group !== '' && group !== 'null')
  let order = named.slice(0, TOKEN_GROUPS_MAX)
  while (order.join(',').length > GROUPS_CHARACTERS_MAX && order.length > 1) order = order.slice(0, -1)
  if (order.length < named.length) note('token-groups-cut', `${order.length} of ${named.length} groups`)
  return order.join(',').slice(0, GROUPS_CHARACTERS_MAX)
}

/** As many as a token may have. */
const TOKEN_GROUPS_MAX = 5

/**
 * One address or range per line. The source ignores lines that it cannot read, so a list of only such lines
 * allows every address there. In Tollgate such a list allows no address, so the import report names tokens
 * with unreadable lines.
 */
function addressesOf(row: SourceRow, note: AddNote): string {
  const lines = `${text(row, 'allow_ips')}\n${text(row, 'subnet')}`
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
