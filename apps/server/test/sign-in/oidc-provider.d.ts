/** Minimal types of the parts that the tests use; the package has none of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Account {
    readonly email?: string
    readonly email_verified?: boolean
    readonly name?: string
    readonly preferred_username?: string
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        readonly [setting: string]: unknown
        findAccount(context: unknown, id: string): { accountId: string; claims(): Account & { sub: string } }
        interactions: { url(context: unknown, interaction: { uid: string }): string }
      },
    )
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ params: Readonly<Record<string, unknown>> }>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    Grant: new (about: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
}
