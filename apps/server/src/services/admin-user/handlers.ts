import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { type BoundRoute, bind } from '../handler.ts'
import { searching } from '../searches.ts'
import { createUser } from './create.ts'
import { listUserEntries, listUserTokens } from './entries.ts'
import { exportUsers } from './export.ts'
import { findOwnerOfKey, getUser } from './get.ts'
import { listUsers } from './list.ts'
import { manageUser, removeUser } from './manage.ts'
import { changeQuota } from './quota.ts'
import type { AdminUserServices } from './services.ts'
import { setStatusOfUsers } from './set-status-many.ts'
import { updateUser } from './update.ts'

export function adminUserHandlers(services: AdminUserServices): readonly BoundRoute[] {
  return [
    bind(adminUserRoutes.list, searching(services, listUsers)),
    bind(adminUserRoutes.search, searching(services, listUsers)),
    bind(adminUserRoutes.ownerOfKey, findOwnerOfKey(services)),
    bind(adminUserRoutes.export, exportUsers(services)),
    bind(adminUserRoutes.get, getUser(services)),
    bind(adminUserRoutes.create, createUser(services)),
    bind(adminUserRoutes.update, updateUser(services)),
    bind(adminUserRoutes.changeQuota, changeQuota(services)),
    bind(adminUserRoutes.manage, manageUser(services)),
    bind(adminUserRoutes.setStatusMany, setStatusOfUsers(services)),
    bind(adminUserRoutes.remove, removeUser(services)),
    bind(adminUserRoutes.tokens, listUserTokens(services)),
    bind(adminUserRoutes.entries, listUserEntries(services)),
  ]
}
