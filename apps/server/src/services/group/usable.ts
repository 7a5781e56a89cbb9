import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { Services } from '../services.ts'

/** Sources for groups: which groups exist, their ratios, and which of them a user may choose. */
export interface GroupServices extends Pick<Services, 'options'> {
  readonly snapshots: Snapshots
}

export interface UsableGroup {
  readonly ratio: number
  readonly desc: string
}

/**
 * Returns the existing groups that a user of `ownGroup` may choose, in the order of the option; `""` stands
 * for a guest.
 */
export function usableGroups(services: GroupServices, ownGroup: string): ReadonlyMap<string, UsableGroup> {
  const ratios = services.options.get('GroupRatio')
  const special = services.options.get('GroupGroupRatio').get(ownGroup)
  const usable = new Map<string, UsableGroup>()
  for (const [name, desc] of services.snapshots.prices().usableGroups(ownGroup)) {
    const ratio = special?.get(name) ?? ratios.get(name)
    if (ratio !== undefined && ratios.has(name)) usable.set(name, { ratio, desc })
  }
  return usable
}
