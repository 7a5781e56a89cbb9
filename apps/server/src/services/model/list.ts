import type { modelRoutes } from '@tollgate/contract/model'
import type { Provider } from '@tollgate/providers/provider'
import type { Handler } from '../handler.ts'
import { type GroupServices, usableGroups } from '../group/usable.ts'

export interface ModelServices extends GroupServices {
  readonly providers: readonly Provider[]
}

/** Lists the models of all groups that the caller may use, without duplicates. */
export function listOwnModels(services: ModelServices): Handler<typeof modelRoutes.own> {
  return async ({ actor }) => {
    const roster = services.snapshots.roster()
    const groups = [...usableGroups(services, actor.group).keys()]
    const models = new Set(groups.flatMap((group) => roster.models(group).map(({ id }) => id)))
    return [...models].toSorted((a, b) => a.localeCompare(b))
  }
}

export function listBuiltInModels({ providers }: ModelServices): Handler<typeof modelRoutes.builtIn> {
  const byType = Object.fromEntries(providers.map(({ type, models }) => [String(type), [...models]]))
  return async () => byType
}
