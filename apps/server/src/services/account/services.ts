import type { DestinationPolicy } from '@tollgate/egress/destination-policy'
import type { MailServices } from '../mail/services.ts'
import type { Lots } from './lots.ts'

export interface AccountServices extends MailServices {
  readonly lots: Lots
  /** What EGRESS_ALLOW names. */
  readonly listedDestinations: Pick<DestinationPolicy, 'lists'>
}
