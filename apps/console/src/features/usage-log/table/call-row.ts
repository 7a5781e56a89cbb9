import type { LogRow } from '@tollgate/contract/log'
import { type LogEvent, readLogEvent } from '@tollgate/contract/log-event/event'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { parseObject } from '@tollgate/kit/json'
import { useMemo } from 'react'
import type { Page, TableSource } from '../../../shared/table/column.ts'
import { type CallRecord, readCallRecord } from '../record/call-record.ts'

/** A log row with its `other` text parsed once. */
export interface CallRow extends LogRow {
  readonly record: CallRecord
  /**
   * `undefined` for rows of earlier versions and imported rows, which have a sentence in `content` instead.
   */
  readonly event: LogEvent | undefined
}

export function callRow(row: LogRow): CallRow {
  return { ...row, record: readCallRecord(row), event: readLogEvent(parseObject(row.other) ?? {}) }
}

/** Old versions of new-api wrote consumption with type 0 too. */
export function isConsumption(row: Pick<LogRow, 'type'>): boolean {
  return row.type === LOG_TYPE.consumption || row.type === 0
}

/** The same source with parsed rows; they are parsed again only when new rows arrive. */
export function useCallRows(source: TableSource<LogRow>): TableSource<CallRow> {
  const page = source.data
  const data = useMemo(
    (): Page<CallRow> | undefined => page && { rows: page.rows.map(callRow), total: page.total },
    [page],
  )
  return { data, error: source.error, isFetching: source.isFetching, refetch: source.refetch }
}
