import type { Provider } from '@tollgate/providers/provider'

export type Owner = Pick<Provider, 'id' | 'label'>

/**
 * A model belongs to the provider with the lowest type number among those that list it: model makers were
 * numbered before the providers that resell their models.
 */
export function modelOwners(providers: readonly Provider[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const provider of providers.toSorted((left, right) => left.type - right.type)) {
    for (const model of provider.models) if (!owners.has(model)) owners.set(model, provider)
  }
  return owners
}
