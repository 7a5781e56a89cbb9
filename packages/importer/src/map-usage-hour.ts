import type { UsageHourTable } from '@tollgate/store/tables/trade'
import { seconds, text, units, whole } from './cell.ts'
import { bounded } from './figures.ts'
import type { SourceRow } from './source.ts'

export type MappedUsageHour = Omit<UsageHourTable, 'id'>

const HOUR_SECONDS = 3_600

/** The source may have several rows for one hour, user and model; they are summed into one. */
export function sumUsageHours(rows: readonly SourceRow[]): readonly MappedUsageHour[] {
  const hours = new Map<string, MappedUsageHour>()
  for (const row of rows) {
    const hour = mapUsageHour(row)
    const name = `${hour.user_id} ${hour.hour_at} ${hour.model_name}`
    const known = hours.get(name)
    hours.set(name, known ? plus(known, hour) : hour)
  }
  return [...hours.values()]
}

function mapUsageHour(row: SourceRow): MappedUsageHour {
  const time = seconds(row, 'created_at')
  return {
    user_id: whole(row, 'user_id'),
    username: text(row, 'username').slice(0, 255),
    model_name: text(row, 'model_name').slice(0, 255),
    hour_at: time - (time % HOUR_SECONDS),
    calls: whole(row, 'count'),
    used_tokens: whole(row, 'token_used'),
    quota: bounded(units(row, 'quota')),
  }
}

function plus(known: MappedUsageHour, more: MappedUsageHour): MappedUsageHour {
  return {
    ...known,
    calls: known.calls + more.calls,
    used_tokens: known.used_tokens + more.used_tokens,
    quota: known.quota + more.quota,
  }
}
