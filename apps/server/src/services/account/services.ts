import type { DestinationPolicy } from '@tollgate/egress/destination-policy'
import type { MailServices } from '../mail/services.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface AccountServices extends MailServices {
  readonly seededRandom: SeededRandom
  /** The destinations in EGRESS_ALLOW. */
  readonly listedDestinations: Pick<DestinationPolicy, 'lists'>
}
