import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../tables/schema.ts'

/** A test of a row, as the argument of `where`. */
export type Condition = Expression<SqlBool>

/** Builds conditions on the columns of some tables. */
export type Where<Table extends keyof Database> = ExpressionBuilder<Database, Table>
