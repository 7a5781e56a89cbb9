import { routes } from '@tollgate/contract/routes'
import { send, type RelayAnswer, type SendInput } from '../relay/send.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { openScriptedUpstream, type Responder, type ScriptedUpstream } from '../relay/upstream.ts'

/** The real application in front of scripted vendors, as a client sees it. */
export interface ClientGateway {
  readonly server: TestServer
  readonly address: string
  /** API key of root, who has a balance; begins with `sk-`. */
  readonly key: string
  readonly send: (input: SendInput) => Promise<RelayAnswer>
  /** Adds a scripted vendor of its own, behind a channel of this type. */
  readonly addVendor: (input: VendorInput) => Promise<ScriptedUpstream>
  readonly close: () => Promise<void>
}

export interface VendorInput {
  readonly type: number
  readonly models: string
  readonly key?: string
  readonly respond?: Responder
}

export async function openClientGateway(
  environment: Readonly<Record<string, string>> = {},
): Promise<ClientGateway> {
  const server = await startTestServer({ isInMemory: true, environment })
  const { root, address } = server
  const { key } = await root.call(routes.token.create, { body: { name: 'client', unlimited_quota: true } })
  const vendors: ScriptedUpstream[] = []
  const { port } = new URL(address)
  return {
    server,
    address,
    key: key.startsWith('sk-') ? key : `sk-${key}`,
    send: (input) => send(Number(port), input),
    addVendor: async ({ type, models, key: vendorKey = 'vendor-key', respond }) => {
      const vendor = await openScriptedUpstream(respond)
      vendors.push(vendor)
      const name = `vendor ${vendors.length}`
      const body = { type, key: vendorKey, name, base_url: vendor.url, models, group: 'default' }
      await root.call(routes.channel.create, { body })
      return vendor
    },
    close: async () => {
      await server.close()
      for (const vendor of vendors) await vendor.close()
    },
  }
}
