import type { CreditServices } from '../credit/credit.ts'
import type { Services } from '../services.ts'

export interface TopUpServices extends Services, CreditServices {
  /** Address of this process, used while no public address is set. */
  readonly ownAddress: () => string
}
