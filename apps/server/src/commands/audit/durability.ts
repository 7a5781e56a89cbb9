import type { StoreView } from '@tollgate/store/open-view'
import type { Traits } from '@tollgate/store/traits'
import { sql } from 'kysely'

/**
 * What would let an acknowledged write be lost (I7). No table shows when something was acknowledged; that the writer waits
 * for the disk is shown by the tests that kill it. Here the database is asked whether it keeps its side.
 */
export async function durabilityFaults(view: StoreView): Promise<readonly string[]> {
  return checks[view.traits.engine](view)
}

type Check = (view: StoreView) => Promise<readonly string[]>

/**
 * A file keeps no setting that would let a write be lost: a gateway chooses how to write each time it opens one, and a backup
 * that lies there without a log is as sound as one with it.
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
