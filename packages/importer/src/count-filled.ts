import type { SourceConnection } from './source-connection.ts'
import type { ColumnDefault, FilledColumn } from './source.ts'

/** Columns counted by one statement. Each takes two expressions; MySQL allows 4,096 in all. */
const COLUMNS_AT_ONCE = 50

/** Texts of "nothing" in every engine; zeros are recognised separately. */
const NOTHING = ['', 'false', 'f', '{}', '[]', 'null']

/** Reads each table once for every {@link COLUMNS_AT_ONCE} columns, also tables without an id. */
export async function countFilled(
  connection: SourceConnection,
  table: string,
  columns: readonly ColumnDefault[],
): Promise<ReadonlyMap<string, FilledColumn>> {
  const filled = new Map<string, FilledColumn>()
  for (let start = 0; start < columns.length; start += COLUMNS_AT_ONCE) {
    const some = columns.slice(start, start + COLUMNS_AT_ONCE)
    const [row] = await connection.query(
      `select ${some.map((column, at) => expressions(connection, column, at)).join(', ')} from ${connection.quote(table)}`,
    )
    for (const [at, { name }] of some.entries()) {
      const rows = Number(row?.[`rows_${at}`] ?? 0)
      if (rows > 0) filled.set(name, { rows, sample: String(row?.[`sample_${at}`] ?? '') })
    }
  }
  return filled
}

function expressions(
  { quote, textType }: SourceConnection,
  { name, defaults }: ColumnDefault,
  at: number,
): string {
  const cell = `lower(trim(cast(${quote(name)} as ${textType})))`
  const usual = [...new Set([...NOTHING, ...defaults.map((text) => text.trim().toLowerCase())])]
  const isFilled = `${quote(name)} is not null and ${cell} not in (${usual.map(literal).join(', ')}) and replace(replace(${cell}, '0', ''), '.', '') <> ''`
  return `sum(case when ${isFilled} then 1 else 0 end) as ${quote(`rows_${at}`)}, min(case when ${isFilled} then ${cell} end) as ${quote(`sample_${at}`)}`
}

/** Defaults come from the source database and from this program; quotes and backslashes are left out of them. */
function literal(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '')}'`
}
