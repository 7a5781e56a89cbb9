import type { Provider } from './provider.ts'
import * as registry from './registry.ts'

/** All providers, in the order of the registry. */
export const providers: readonly Provider[] = Object.values(registry)

const byType = new Map(providers.map((provider) => [provider.type, provider]))
const byId = new Map(providers.map((provider) => [provider.id, provider]))

/** Finds a provider by the channel type number that the API uses. */
export function providerByType(type: number): Provider | undefined {
  return byType.get(type)
}

export function providerById(id: string): Provider | undefined {
  return byId.get(id)
}
