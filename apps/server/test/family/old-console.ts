import type { TestServer } from '../harness.ts'
import { PASSWORD, Visitor } from '../harness.ts'

/** A browser at a console of the reference system: names the user by that console's header. */
export class OldConsole extends Visitor {
  /** As another fork spells it: `New-Api-User`. */
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

/** Somebody who registered and signed in at an old console. */
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
