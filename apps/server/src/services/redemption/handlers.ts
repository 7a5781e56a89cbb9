import { redemptionRoutes } from '@tollgate/contract/redemption'
import { type BoundRoute, bind } from '../handler.ts'
import { searching } from '../searches.ts'
import { createRedemptions } from './create.ts'
import { countCodesByName, getCode, listCodes, searchCodes } from './list.ts'
import { redeemCode } from './redeem.ts'
import { removeCode, removeCodesByName, removeDisabledCodes } from './remove.ts'
import type { RedemptionServices } from './services.ts'
import { disableCodes, setStatusOfCodes, updateCode } from './update.ts'

export function redemptionHandlers(services: RedemptionServices): readonly BoundRoute[] {
  return [
    bind(redemptionRoutes.list, listCodes(services)),
    bind(redemptionRoutes.search, searching(services, searchCodes)),
    bind(redemptionRoutes.countByName, countCodesByName(services)),
    bind(redemptionRoutes.get, getCode(services)),
    bind(redemptionRoutes.create, createRedemptions(services)),
    bind(redemptionRoutes.update, updateCode(services)),
    bind(redemptionRoutes.disableMany, disableCodes(services)),
    bind(redemptionRoutes.setStatusMany, setStatusOfCodes(services)),
    bind(redemptionRoutes.removeDisabled, removeDisabledCodes(services)),
    bind(redemptionRoutes.removeByName, removeCodesByName(services)),
    bind(redemptionRoutes.remove, removeCode(services)),
    bind(redemptionRoutes.redeem, redeemCode(services)),
  ]
}
