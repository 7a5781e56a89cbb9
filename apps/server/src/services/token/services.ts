import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { ShownQuotas } from '../shown-quotas.ts'
import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'
import type { KeyLists } from './key-lists.ts'

/** Tokens also ask which groups their owner may use. */
export interface TokenServices extends Services {
  readonly snapshots: Snapshots
  readonly searches: Searches
  readonly shownQuotas: ShownQuotas
  readonly keyLists: KeyLists
}
