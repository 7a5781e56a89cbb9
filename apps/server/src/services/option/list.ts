import type { optionRoutes } from '@tollgate/contract/option'
import { optionDefinition, optionKeys } from '@tollgate/contract/options'
import type { Handler } from '../handler.ts'
import type { OptionBook } from './option-book.ts'

/** Every setting we know, and nothing else that may lie in the table. */
export function listOptions(book: OptionBook): Handler<typeof optionRoutes.list> {
  return () =>
    Promise.resolve(
      optionKeys.map((key) => {
        const text = book.text(key)
        const version = book.version(key)
        return optionDefinition(key).isSecret
          ? { key, value: '', is_set: text !== '', version }
          : { key, value: text, version }
      }),
    )
}
