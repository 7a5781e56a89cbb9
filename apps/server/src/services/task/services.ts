import type { Services } from '../services.ts'

export interface TaskServices extends Services {
  /** Address of this process, for a site without a configured public address. */
  readonly ownAddress: () => string
}
