import type { Migration } from './migration.ts'

const ALLOWED = '{"stored_context":"as_before"'

/**
 * Existing channels keep what they allowed before stored context became a setting (`as_before`); that never
 * included continuing from a response stored at the vendor. New channels allow no stored context. A setting
 * that is neither empty nor an object is left alone, as is one that already contains `stored_context`.
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
