import type { Migration } from './migration.ts'

/** A hold names the prices of further models. A process of the version before leaves the column empty. */
export const furtherPrices: Migration = {
  number: 46,
  name: 'several prices on a hold',
  statements: (traits) => [
    `alter table ${traits.quote('hold')} add column further_prices ${traits.types.text} null`,
  ],
}
