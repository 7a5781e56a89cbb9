import type { Page } from '../database/page.ts'
import type { Db } from '../tables/schema.ts'
import { countFound } from '../database/count-found.ts'

/** The history of site settings. `options.ts` writes it. */
export type OptionChangeRow = Awaited<ReturnType<typeof listOptionChanges>>[number]

export interface OptionChangeFilter {
  readonly key?: string | undefined
}

/** Newest first, with the current names of users. */
export function listOptionChanges(db: Db, { key }: OptionChangeFilter, page: Page) {
  return db
    .selectFrom('option_changes')
    .leftJoin('users', 'users.id', 'option_changes.changed_by')
    .selectAll('option_changes')
    .select('users.username as changed_by_name')
    .$if(key !== undefined, (query) => query.where('option_changes.key', '=', key ?? ''))
    .orderBy('option_changes.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export function countOptionChanges(db: Db, { key }: OptionChangeFilter): Promise<number> {
  const all = db.selectFrom('option_changes')
  return countFound(key === undefined ? all : all.where('key', '=', key))
}

export function findOptionChange(db: Db, id: number) {
  return db
    .selectFrom('option_changes')
    .select(['key', 'before_value'])
    .where('id', '=', id)
    .executeTakeFirst()
}
