import type { Provider } from '@tollgate/providers/provider'

export type Owner = Pick<Provider, 'id' | 'label'>

/** Of those who list a model the one with the lowest type: makers came before those who resell their models. */
export function modelOwners(providers: readonly Provider[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const provider of providers.toSorted((left, right) => left.type - right.type)) {
    for (const model of provider.models) if (!owners.has(model)) owners.set(model, provider)
  }
  return owners
}
