import type { Migration } from './migration.ts'

/**
 * From here on `header_override`, `param_override` and `setting` of a channel are encrypted. No statement can do that: the
 * key is not in the database. What is stored is encrypted by `encrypt-channels.ts` when a gateway starts. The number alone
 * keeps older versions, which would send encrypted texts as headers, from opening the database.
 */
export const encryptedChannels: Migration = {
  number: 18,
  name: 'encrypted channels',
  statements: () => [],
}
