import type { Services } from '../services.ts'

export interface TaskServices extends Services {
  /** The address this process listens at, for a site whose operator named none. */
  readonly ownAddress: () => string
}
