import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'

export interface CallSessionServices extends Services {
  readonly searches: Searches
}
