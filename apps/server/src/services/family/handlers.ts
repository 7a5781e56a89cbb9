import { familyRoutes } from '@tollgate/contract/family'
import type { AccountServices } from '../account/services.ts'
import { modelsOfTag } from '../channel/tags.ts'
import type { ChannelServices } from '../channel/services.ts'
import { type BoundRoute, bind } from '../handler.ts'
import { removeInvalidCodes } from '../redemption/remove.ts'
import type { RedemptionServices } from '../redemption/services.ts'
import { searching } from '../searches.ts'
import { readHoursOfUsers } from '../usage/hours-of-users.ts'
import { checkInAsNewApi, getCheckInAsNewApi } from './check-in.ts'
import { copyWithSuffix } from './copy-channel.ts'
import { manageKeys } from './manage-keys.ts'
import { getTopUpInfo } from './top-up-info.ts'

type FamilyServices = AccountServices & ChannelServices & RedemptionServices

/** Routes of newer new-api versions whose names differ from ours. */
export function familyHandlers(services: FamilyServices): readonly BoundRoute[] {
  return [
    bind(familyRoutes.copyChannel, copyWithSuffix(services)),
    bind(familyRoutes.manageKeys, manageKeys(services)),
    bind(familyRoutes.modelsOfTag, modelsOfTag(services)),
    bind(familyRoutes.removeInvalidCodes, removeInvalidCodes(services)),
    bind(familyRoutes.checkInStatus, getCheckInAsNewApi(services)),
    bind(familyRoutes.checkIn, checkInAsNewApi(services)),
    bind(familyRoutes.topUpInfo, getTopUpInfo(services)),
    bind(familyRoutes.hoursOfUsers, searching(services, readHoursOfUsers)),
  ]
}
