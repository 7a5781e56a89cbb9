import type { ServerAddress } from './address.ts'
import type { ServerEngine } from './engine.ts'

/** Loads only the client of this engine: the two together take as long as a tenth of a start. */
export async function loadEngine(
  address: ServerAddress,
  options: { readonly isPooled?: boolean } = {},
): Promise<ServerEngine> {
  if (address.engine === 'postgres')
    return (await import('../postgres/engine.ts')).postgresEngine(address, options)
  return (await import('../mysql/engine.ts')).mysqlEngine(address)
}
