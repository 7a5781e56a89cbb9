import type { groupRoutes } from '@tollgate/contract/group'
import type { Handler } from '../handler.ts'
import { type GroupServices, usableGroups } from './usable.ts'

export function listGroups({ options }: GroupServices): Handler<typeof groupRoutes.list> {
  return async () => [...options.get('GroupRatio').keys()].toSorted((a, b) => a.localeCompare(b))
}

export function listOwnGroups(services: GroupServices): Handler<typeof groupRoutes.own> {
  return async ({ actor }) => Object.fromEntries(usableGroups(services, actor.group))
}

export function listPublicGroups(services: GroupServices): Handler<typeof groupRoutes.public> {
  return async () => Object.fromEntries(usableGroups(services, ''))
}
