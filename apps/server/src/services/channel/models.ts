import type { channelRoutes } from '@tollgate/contract/channel'
import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { addressHelp } from '@tollgate/providers/address-help'
import { defaultChannelSettings } from '@tollgate/providers/channel-settings'
import type { OtherField, Provider } from '@tollgate/providers/provider'
import { enabledModelLists } from '@tollgate/store/channels/channels'
import { modelOwners } from '../../snapshots/model-owners.ts'
import type { Handler } from '../handler.ts'
import { splitList } from '../comma-list.ts'
import type { ChannelServices } from './services.ts'

/** The creation time that new-api reports for every model. */
const CREATED = 1_626_777_600

/**
 * Lists each model name once, with its vendor. Sorted for the first request, because sorting thousands of names
 * takes a noticeable part of a start.
 */
export function listModels({ providers }: ChannelServices): Handler<typeof channelRoutes.models> {
  let catalogue: ReturnType<typeof sortedOwners> | undefined
  return async () =>
    (catalogue ??= sortedOwners(providers)).map(([id, owner]) => ({
      id,
      object: 'model' as const,
      created: CREATED,
      owned_by: owner.id,
      permission: [],
      root: id,
      parent: null,
    }))
}

const sortedOwners = (providers: ChannelServices['providers']) =>
  [...modelOwners(providers)].toSorted(([a], [b]) => a.localeCompare(b))

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
      address: addressHelp(provider),
      key_hint: provider.credentials.hint,
      other: provider.other && otherField(provider.other),
      models: [...provider.models],
      can_list_models: listsModels(provider),
      can_tell_balance: provider.balance !== undefined,
      renews_keys: provider.renewal !== undefined,
    }))
}

/** Some vendors offer a model list only to channels with a plain key. */
function listsModels({ modelList, forChannel }: Provider): boolean {
  return (
    (modelList ?? forChannel?.({ key: 'plain', settings: defaultChannelSettings }).modelList) !== undefined
  )
}

function otherField(field: OtherField): ChannelType['other'] {
  const { label, usual = '', isByModel = false, staysAtOrigin = false } = field
  return { label, usual, is_by_model: isByModel, stays_at_origin: staysAtOrigin }
}
