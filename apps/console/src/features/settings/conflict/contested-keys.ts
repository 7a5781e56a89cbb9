import type { OptionKey } from '@tollgate/contract/options/index'
import { changedKeys } from '../drafts.ts'
import type { DraftStore } from '../use-drafts.ts'

/** Settings that were edited here while another operator stored a different value. */
export function contestedKeys(
  keys: readonly OptionKey[],
  { drafts, bases, stored }: Pick<DraftStore, 'drafts' | 'bases' | 'stored'>,
): readonly OptionKey[] {
  return changedKeys(keys, drafts, stored).filter((key) => {
    const base = bases.get(key)
    return base !== undefined && base.version !== stored.get(key)?.version
  })
}
