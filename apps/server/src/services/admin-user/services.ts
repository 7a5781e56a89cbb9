import type { AccountServices } from '../account/services.ts'
import type { TokenServices } from '../token/services.ts'
import type { ShownQuotas } from '../shown-quotas.ts'

export interface AdminUserServices extends AccountServices, TokenServices {
  readonly shownQuotas: ShownQuotas
}
