import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { isRecord, parseJson, parseObject } from '@tollgate/kit/json'
import { text } from './cell.ts'
import type { SourceRow } from './source.ts'

/** The state of one key of a channel that has several. Keys without one are enabled. */
export interface KeyState {
  /** As it stands in the source. */
  readonly key: string
  readonly status: number
  readonly reason: string
  readonly statusMs: number
}

const REASON_CHARACTERS_MAX = 255

/** Reads `channel_info`, which names keys by their place in the list. */
export function readKeyStates(row: SourceRow): readonly KeyState[] {
  const info = parseObject(text(row, 'channel_info')) ?? {}
  const states = readPlaces(info['multi_key_status_list'])
  if (info['is_multi_key'] !== true || states.size === 0) return []
  const reasons = readPlaces(info['multi_key_disabled_reason'])
  const times = readPlaces(info['multi_key_disabled_time'])
  return keysInOrder(text(row, 'key')).flatMap((key, place) => {
    const status = readStatus(states.get(place))
    if (status === CHANNEL_STATUS.enabled) return []
    const stored = reasons.get(place)
    const reason = typeof stored === 'string' ? stored.slice(0, REASON_CHARACTERS_MAX) : ''
    const seconds = Number(times.get(place) ?? 0)
    return [{ key, status, reason, statusMs: Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : 0 }]
  })
}

/** The source uses a key only with status 1; whatever else stands there is off. */
function readStatus(value: unknown): number {
  if (value === undefined || value === CHANNEL_STATUS.enabled) return CHANNEL_STATUS.enabled
  return value === CHANNEL_STATUS.autoDisabled ? CHANNEL_STATUS.autoDisabled : CHANNEL_STATUS.disabled
}

function readPlaces(value: unknown): ReadonlyMap<number, unknown> {
  return new Map(isRecord(value) ? Object.entries(value).map(([place, entry]) => [Number(place), entry]) : [])
}

/** In the order in which the source counts them: the elements of a JSON list, or the lines. */
function keysInOrder(stored: string): readonly string[] {
  const list: unknown = stored.trim().startsWith('[') ? parseJson(stored) : undefined
  if (Array.isArray(list)) return list.map((key) => (typeof key === 'string' ? key : JSON.stringify(key)))
  return stored.replace(/^\n+|\n+$/g, '').split('\n')
}
