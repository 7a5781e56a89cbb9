import type { Cipher } from '@tollgate/kit/cipher'
import type { TaskUpdatePorts } from '../../tasks/apply-update.ts'

/** What tasks need besides what every call needs. */
export interface TaskServices extends Pick<TaskUpdatePorts, 'db' | 'notifier'> {
  readonly cipher: Pick<Cipher, 'mark'>
  /** The address on which this process listens, for a site without a configured address. */
  readonly ownAddress: () => string
}
