import type { optionRoutes } from '@tollgate/contract/option'
import { optionDefinition, optionKeys } from '@tollgate/contract/options/index'
import type { Handler } from '../handler.ts'
import type { SiteSettings } from '../../snapshots/site-settings.ts'

/** Lists every known setting and ignores other rows of the table. */
export function listOptions(settings: SiteSettings): Handler<typeof optionRoutes.list> {
  return () =>
    Promise.resolve(
      optionKeys.map((key) => {
        const text = settings.text(key)
        const version = settings.version(key)
        return optionDefinition(key).isSecret
          ? { key, value: '', is_set: text !== '', version }
          : { key, value: text, version }
      }),
    )
}
