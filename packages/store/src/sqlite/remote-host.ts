import type { Payload } from './engine.ts'
import type { EngineHost } from './host.ts'
import { type SqlitePort, asText } from './port.ts'

/** Runs functions of a module from above the store beside a connection. They take and return text. */
export interface RemoteHost {
  /**
   * Imports the module in the writer's thread. The module exports `register(connection): RemoteFunctions`.
   */
  load(url: URL): Promise<void>
  /**
   * Runs a loaded function beside the writing connection, outside of any transaction and in order with all
   * other writes.
   */
  call(name: string, payload: Payload): Promise<string>
  /** Runs one function beside a new reading connection, in a thread that ends with it. */
  callOnReader(input: { url: URL; name: string; payload: Payload }): Promise<string>
}

export interface RemoteHostParts {
  readonly port: Pick<SqlitePort, 'call'>
  readonly load: (url: string) => Promise<unknown>
  /** Returns `undefined` when there can be no second connection. */
  readonly startReader: () => Promise<EngineHost> | undefined
}

export function createRemoteHost({ port, load, startReader }: RemoteHostParts): RemoteHost {
  return {
    load: async (url) => {
      await load(url.href)
    },
    call: (name, payload) => port.call(name, payload),
    callOnReader: async ({ url, name, payload }) => {
      const reader = await startReader()
      if (reader) return callAndClose(reader, { url, name, payload })
      await load(url.href)
      return port.call(name, payload)
    },
  }
}

async function callAndClose(
  reader: EngineHost,
  { url, name, payload }: { url: URL; name: string; payload: Payload },
): Promise<string> {
  try {
    await reader.send({ type: 'load', url: url.href })
    return asText(await reader.send({ type: 'call', name, payload }))
  } finally {
    await reader.send({ type: 'close' })
  }
}
