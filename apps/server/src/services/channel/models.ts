import type { channelRoutes } from '@tollgate/contract/channel'
import { enabledModelLists } from '@tollgate/store/channels'
import type { Handler } from '../handler.ts'
import { splitList } from '../comma-list.ts'
import type { ChannelServices } from './services.ts'

/** What the family reports as the creation time of every model. */
const CREATED = 1_626_777_600

/** Each name once, owned by the first provider that lists it. */
export function listModels({ providers }: ChannelServices): Handler<typeof channelRoutes.models> {
  const owners = new Map<string, string>()
  for (const { id, models } of providers) {
    for (const model of models) if (!owners.has(model)) owners.set(model, id)
  }
  const catalogue = [...owners].toSorted(([a], [b]) => a.localeCompare(b))
  return async () =>
    catalogue.map(([id, owner]) => ({
      id,
      object: 'model' as const,
      created: CREATED,
      owned_by: owner,
      permission: [],
      root: id,
      parent: null,
    }))
}

export function listEnabledModels({ store }: ChannelServices): Handler<typeof channelRoutes.modelsEnabled> {
  return async () => {
    const lists = await enabledModelLists(store)
    return [...new Set(lists.flatMap(splitList))].toSorted((a, b) => a.localeCompare(b))
  }
}

export function listTypes({ providers }: ChannelServices): Handler<typeof channelRoutes.types> {
  return async () =>
    providers.map((provider) => ({
      type: provider.type,
      id: provider.id,
      label: provider.label,
      base_url: provider.baseUrl ?? '',
      key_hint: provider.credentials.hint,
      ...(provider.otherLabel && { other_label: provider.otherLabel }),
      models: [...provider.models],
      can_list_models: provider.modelList !== undefined,
    }))
}
