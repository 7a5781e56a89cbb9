import type { Migration } from './migration.ts'

const ALLOWED = '{"stored_context":"as_before"'

/**
 * Channels that were there before stored context became a choice go on allowing what they allowed, which never was to go
 * on from a response that is kept at the vendor; new ones allow none of it. A setting that is neither empty nor an object
 * is left alone, as is one that says already what it wants.
 */
export const storedContext: Migration = {
  number: 22,
  name: 'stored context',
  statements: (traits) => [
    `update ${traits.quote('channels')} set setting =
       case when setting like '%"%' then '${ALLOWED},' || substr(setting, 2) else '${ALLOWED}}' end
     where setting not like '%"stored_context"%' and (setting = '' or setting like '{%')`,
  ],
}
