import type { setupRoutes } from '@tollgate/contract/setup'
import { isSetUp } from '@tollgate/store/accounts/setup'
import { engineOf } from '@tollgate/store/database/traits'
import { hasRootUser } from '@tollgate/store/accounts/users'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

/** Once the setup is done, the other members have no meaning. */
export function getSetup({ store }: Services): Handler<typeof setupRoutes.read> {
  return async ({ isLocal }) => {
    if (await isSetUp(store))
      return { status: true, root_init: false, database_type: '', token_needed: false }
    const hasRoot = await hasRootUser(store)
    return {
      status: false,
      root_init: hasRoot,
      database_type: engineOf(store),
      token_needed: !isLocal,
    }
  }
}
