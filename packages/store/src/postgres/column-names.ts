import type { ServerConnection } from '../server/connection.ts'

/**
 * PostgreSQL describes the origin of a result column by table id and column number. This class maps them to
 * the column's name.
 */
export class ColumnNames {
  readonly #names = new Map<string, string>()

  /** `undefined` for expressions, and for columns that were created after {@link load}. */
  of(tableId: number, columnNumber: number): string | undefined {
    return tableId === 0 ? undefined : this.#names.get(`${tableId}.${columnNumber}`)
  }

  async load(connection: ServerConnection): Promise<void> {
    const { rows } = await connection.query(
      `select attrelid, attnum, attname from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
    )
    for (const [table, number, name] of rows)
      this.#names.set(`${Number(table)}.${Number(number)}`, String(name))
  }
}
