import type { Outcome } from '../command.ts'
import type { MoveResult } from './run-move.ts'

export function moveOutcome(result: MoveResult): Outcome {
  return { code: 0, lines: printMove(result), json: jsonMove(result) }
}

function printMove({ type, sourceName, counts, totals }: MoveResult): readonly string[] {
  if (type === 'known') return [`${sourceName} was brought over before: nothing is left to do.`]
  const tables = [...counts].filter(([, rows]) => rows > 0)
  const { accounts, entries, holds } = totals
  const size = `${digits(accounts)} accounts, ${digits(entries)} entries`
  return [
    `${sourceName}${type === 'tried' ? ' would be copied:' : ' is copied:'}`,
    ...tables.map(([table, rows]) => `  ${table.padEnd(17)}${digits(rows).padStart(14)}`),
    ...(holds === 0 ? [] : [`The next start ends ${digits(holds)} holds of calls that were cut off.`]),
    type === 'tried'
      ? `Its books balance: ${size}. Nothing was written.`
      : `The books balance, and are those of the source: ${size}.`,
  ]
}

function jsonMove({ type, sourceId, sourceName, counts, totals }: MoveResult): unknown {
  return { type, sourceId, sourceName, tables: Object.fromEntries(counts), totals }
}

function digits(value: number): string {
  return value.toLocaleString('en')
}
