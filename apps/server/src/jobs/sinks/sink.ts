import type { listCallsAfter } from '@tollgate/store/logs/follow'

/** A receiver of the rows of calls in the usage log. */
export interface LogSink {
  /** Resolves once the receiver has these rows for good; rejects with a `JobFailure`. Rows may come again. */
  send(rows: readonly LogSinkRow[], signal: AbortSignal): Promise<void>
}

export type LogSinkRow = Awaited<ReturnType<typeof listCallsAfter>>[number]

/** One row as JSON: amounts are strings, because they may exceed the range of JSON numbers. */
export function rowText(row: LogSinkRow): string {
  return JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
