import { groupRoutes } from '@tollgate/contract/group'
import { type BoundRoute, bind } from '../handler.ts'
import { listGroups, listOwnGroups, listPublicGroups } from './list.ts'
import type { GroupServices } from './usable.ts'

export function groupHandlers(services: GroupServices): readonly BoundRoute[] {
  return [
    bind(groupRoutes.list, listGroups(services)),
    bind(groupRoutes.own, listOwnGroups(services)),
    bind(groupRoutes.public, listPublicGroups(services)),
  ]
}
