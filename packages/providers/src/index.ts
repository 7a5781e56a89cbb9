import type { Provider } from './provider.ts'
import * as registry from './registry.ts'

/** In the order of the registry. */
export const providers: readonly Provider[] = Object.values(registry)

const byType = new Map(providers.map((provider) => [provider.type, provider]))
const byId = new Map(providers.map((provider) => [provider.id, provider]))

/** By the channel type of the wire contract. */
export function providerByType(type: number): Provider | undefined {
  return byType.get(type)
}

export function providerById(id: string): Provider | undefined {
  return byId.get(id)
}
