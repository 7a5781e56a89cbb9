import type { CreditServices } from '../credit/credit.ts'
import type { Services } from '../services.ts'

export interface TopUpServices extends Services, CreditServices {
  /** Where this process can be reached while no public address is set. */
  readonly ownAddress: () => string
}
