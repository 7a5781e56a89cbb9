import type { Migration } from './migration.ts'

/**
 * Sites that exist do not charge fees that are new in this version, until their operator says so. A site without
 * users is a new one.
 */
export const listedFees: Migration = {
  number: 56,
  name: 'listed fees',
  statements: (traits) => {
    const [options, users, key] = ['options', 'users', 'key'].map((name) => traits.quote(name))
    const columns = ['key', 'value', 'version', 'updated_ms', 'updated_by']
      .map((name) => traits.quote(name))
      .join(', ')
    return [
      `insert into ${options} (${columns})
       select 'ListedFeesCharged', 'false', 1, 0, 0 from ${users}
       where id = (select min(id) from ${users})
         and not exists (select 1 from ${options} where ${key} = 'ListedFeesCharged')`,
    ]
  },
}
