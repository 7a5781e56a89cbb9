import type { Migration } from './migration.ts'

/**
 * From this step on, `header_override`, `param_override` and `setting` of a channel are encrypted. SQL cannot
 * encrypt them, because the key is not in the database; `encrypt-channels.ts` does it when a gateway starts.
 * The step has no statements: its number keeps older versions, which would send encrypted texts as headers,
 * from opening the database.
 */
export const encryptedChannels: Migration = {
  number: 18,
  name: 'encrypted channels',
  statements: () => [],
}
