/**
 * SQL for the frozen price of an entry as JSON: from its own row in earlier versions, otherwise from `price`. In
 * a file of its own, because the threads of the database run SQL without loading the query builder.
 */
export const ENTRY_PRICE =
  'coalesce(entry.price_json, (select price.content from price where price.hash = entry.price_hash))'
