import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { ShownQuotas } from '../shown-quotas.ts'
import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'
import type { KeyLists } from './key-lists.ts'

/** Token services also need to know which groups the owner may use. */
export interface TokenServices extends Services {
  readonly snapshots: Snapshots
  readonly searches: Searches
  readonly shownQuotas: ShownQuotas
  readonly keyLists: KeyLists
}
