import type { TestServer } from '../harness.ts'
import { PASSWORD, Visitor } from '../harness.ts'

/** A browser with a console of Veloera, a fork of new-api, which sends the user id in its own header. */
export class OldConsole extends Visitor {
  /** Name of the user header; `New-Api-User` for new-api itself. */
  header = 'Veloera-User'

  override headers(): Record<string, string> {
    const { 'Tollgate-User': user = '-1', ...others } = super.headers()
    return { ...others, [this.header]: user }
  }

  async json(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.fetch(path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return response.json()
  }
}

let consoles = 0

/** A user who registered and signed in through such a console. */
export async function newOldConsole(gateway: TestServer): Promise<OldConsole> {
  const username = `old${++consoles}`
  await gateway.user({ username })
  return signedIn(gateway, { username, password: PASSWORD })
}

export async function signedIn(
  gateway: TestServer,
  credentials: { username: string; password: string },
): Promise<OldConsole> {
  const visitor = new OldConsole(gateway.address)
  await visitor.signIn(credentials)
  return visitor
}
