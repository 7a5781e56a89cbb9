import type { StoreView } from '@tollgate/store/database/open-view'
import type { Traits } from '@tollgate/store/database/traits'
import { sql } from 'kysely'

/**
 * Checks the database for settings and damage that could lose an acknowledged write (invariant I7). No table
 * records when a write was acknowledged; that the writer waits for the disk is covered by the tests that kill
 * it. This checks the database's side.
 */
export async function durabilityFaults(view: StoreView): Promise<readonly string[]> {
  return checks[view.traits.engine](view)
}

type Check = (view: StoreView) => Promise<readonly string[]>

/**
 * A SQLite file stores no setting that could lose a write: the gateway sets its synchronous mode each time it
 * opens the file. The journal mode is not checked either, because a backup without a write-ahead log is as
 * sound as one with it.
 */
const checks: Readonly<Record<Traits['engine'], Check>> = {
  sqlite: async (view) => {
    const damage = await texts(view, 'select quick_check as answer from pragma_quick_check')
    const orphans = await texts(view, 'select "table" as answer from pragma_foreign_key_check limit 5')
    return [
      ...damage.filter((line) => line !== 'ok').map((line) => `the file is damaged: ${line}`),
      ...orphans.map((table) => `a row of ${table} names an account that is not there`),
    ]
  },
  postgres: async (view) => {
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit']
    return switchedOff(view, settings, (name) => `current_setting('${name}')`)
  },
  mysql: async (view) => {
    const [flush] = await texts(view, 'select @@innodb_flush_log_at_trx_commit as answer')
    return flush === '1' ? [] : [`innodb_flush_log_at_trx_commit is ${flush}, not 1`]
  },
}

async function switchedOff(
  view: StoreView,
  names: readonly string[],
  expression: (name: string) => string,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const name of names) {
    const [value] = await texts(view, `select ${expression(name)} as answer`)
    if (value === 'off') faults.push(`${name} is off`)
  }
  return faults
}

async function texts({ db }: StoreView, query: string): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ answer: unknown }>(query).execute(db)
  return rows.map(({ answer }) => String(answer))
}
