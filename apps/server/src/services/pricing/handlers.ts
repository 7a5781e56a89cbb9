import { pricingRoutes } from '@tollgate/contract/pricing'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import { type BoundRoute, bind } from '../handler.ts'
import type { Services } from '../services.ts'
import { listPrices } from './list.ts'
import { resetModelRatio } from './reset-model-ratio.ts'

export function pricingHandlers(
  services: Services & { readonly snapshots: Snapshots },
): readonly BoundRoute[] {
  return [
    bind(pricingRoutes.list, listPrices(services)),
    bind(pricingRoutes.resetModelRatio, resetModelRatio(services)),
  ]
}
