import { sql } from 'kysely'
import type { LogFilter } from '../logs/filter.ts'
import { type LogSums, countLogs, sumLogRows } from '../logs/logs.ts'
import { netQuota, ofCalls } from './net-quota.ts'
import type { Db } from '../tables/schema.ts'
import { type SummedSpan, partsOf, spanMatches } from './parts.ts'

/** Sums over the usage log for any filter: whole days and hours from stored sums, the rest from rows. */
export async function sumUsage(db: Db, filter: LogFilter): Promise<LogSums> {
  const parts = await partsOf(db, filter)
  const sums = await Promise.all([
    ...parts.summed.map((span) => sumSpan(db, filter, span)),
    ...parts.rows.map((rows) => sumLogRows(db, { ...filter, ...rows })),
  ])
  return sums.reduce(plus, noSums)
}

const noSums: LogSums = { quota: 0n, promptTokens: 0, completionTokens: 0, count: 0, calls: 0 }

function plus(left: LogSums, right: LogSums): LogSums {
  return {
    quota: left.quota + right.quota,
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    count: left.count + right.count,
    calls: left.calls + right.calls,
  }
}

type Sum = bigint | number | string

async function sumSpan(db: Db, filter: LogFilter, span: SummedSpan): Promise<LogSums> {
  const { rows } = await sql<{ quota: Sum; prompt: Sum; completion: Sum; count: Sum; calls: Sum }>`
    select coalesce(sum(${netQuota}), 0) as quota, coalesce(sum(${ofCalls(sql.ref('prompt_tokens'))}), 0) as prompt,
      coalesce(sum(${ofCalls(sql.ref('completion_tokens'))}), 0) as completion, coalesce(sum(calls), 0) as count,
      coalesce(sum(${ofCalls(sql.ref('calls'))}), 0) as calls
    from ${sql.table(span.table)} where ${spanMatches(filter, span)}`.execute(db)
  const [row] = rows
  if (!row) return noSums
  return {
    quota: BigInt(row.quota),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
    count: Number(row.count),
    calls: Number(row.calls),
  }
}

/** Number of matching rows, at most `atMost`. */
export async function countUsage(db: Db, filter: LogFilter, atMost: number): Promise<number> {
  const { summed, rows } = await partsOf(db, filter)
  const counts = await Promise.all([
    ...summed.map((span) => sumSpan(db, filter, span).then(({ count }) => count)),
    ...rows.map((range) => countLogs(db, { ...filter, ...range }, atMost)),
  ])
  return Math.min(
    counts.reduce((sum, count) => sum + count, 0),
    atMost,
  )
}
