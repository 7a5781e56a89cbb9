import type { Limiter } from '@tollgate/coordination/limits'
import type { CreditServices } from '../credit/credit.ts'
import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'

export interface RedemptionServices extends Services, CreditServices {
  readonly searches: Searches
  readonly redeemFailures: Limiter
}
