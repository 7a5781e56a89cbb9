import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import type { RedemptionTable } from '@tollgate/store/tables/trade'
import { end, flag, moment, seconds, text, units, whole } from './cell.ts'
import { AMOUNT_MAX } from './figures.ts'
import type { MapOptions } from './map-user.ts'
import type { Note, NoteCode } from './note.ts'
import type { SourceRow } from './source.ts'

export interface MappedCode {
  /** The row without its code, which is stored hashed and encrypted. */
  readonly row: Omit<RedemptionTable, 'id' | 'key_hash' | 'key_sealed'> & { readonly id: number }
  readonly key: string
  /** Why the code cannot be imported. */
  readonly refusal: NoteCode | undefined
  readonly notes: readonly Note[]
}

const ENDLESS = -1
/** The quota that the source gives a code when none was entered. */
const USUAL_QUOTA = 100n

/** Maps a redemption code. Quota from past redemptions is already part of the users' balances. */
export function mapCode(row: SourceRow, { nowMs }: MapOptions): MappedCode {
  const notes: Note[] = []
  const id = whole(row, 'id')
  const note = (code: NoteCode, detail: string): unknown =>
    notes.push({ table: 'redemptions', id, code, detail })
  const key = text(row, 'key').trim()
  const quota = units(row, 'quota', USUAL_QUOTA)
  return {
    row: {
      id,
      user_id: whole(row, 'user_id'),
      status: statusOf(row, note),
      name: text(row, 'name').slice(0, 255),
      quota,
      created_time: seconds(row, 'created_time'),
      redeemed_time: seconds(row, 'redeemed_time'),
      valid_from: seconds(row, 'valid_from'),
      valid_until: earliest(end(row, 'valid_until'), end(row, 'expired_time')),
      used_user_id: whole(row, 'used_user_id'),
      is_gift: flag(row, 'is_gift'),
      ...usesOf(row, note),
      version: 1,
      deleted_ms: moment(row, 'deleted_at', nowMs),
    },
    key,
    refusal: refusalOf(key, quota),
    notes,
  }
}

/** new-api names the end `expired_time`, a fork of it `valid_until`; 0 is no end. */
function earliest(one: number, other: number): number {
  return one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other)
}

function refusalOf(key: string, quota: bigint): NoteCode | undefined {
  if (key === '') return 'code-without-key'
  return quota < 0n || quota > AMOUNT_MAX ? 'code-amount-impossible' : undefined
}

function statusOf(row: SourceRow, note: (code: NoteCode, detail: string) => unknown): number {
  const status = whole(row, 'status', REDEMPTION_STATUS.unused)
  if (status >= REDEMPTION_STATUS.unused && status <= REDEMPTION_STATUS.used) return status
  note('code-status-unknown', `status ${status}`)
  return REDEMPTION_STATUS.disabled
}

/**
 * The source counts uses without a lock, so a gift code may have been redeemed more often than its limit
 * allows. The limit is then raised to the number of uses.
 */
function usesOf(
  row: SourceRow,
  note: (code: NoteCode, detail: string) => unknown,
): { max_uses: number; used_count: number } {
  const limit = whole(row, 'max_uses', ENDLESS)
  const max_uses = limit <= 0 ? ENDLESS : limit
  const used_count = Math.max(0, whole(row, 'used_count'))
  if (max_uses === ENDLESS || used_count <= max_uses) return { max_uses, used_count }
  note('code-overused', `${used_count} uses of ${max_uses}`)
  return { max_uses: used_count, used_count }
}
