import type { setupRoutes } from '@tollgate/contract/setup'
import { isSetUp } from '@tollgate/store/setup'
import { engineOf } from '@tollgate/store/traits'
import { hasRootUser } from '@tollgate/store/users'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

/** The two other fields say nothing once the setup is done. */
export function getSetup({ store }: Services): Handler<typeof setupRoutes.read> {
  return async () => {
    if (await isSetUp(store)) return { status: true, root_init: false, database_type: '' }
    return { status: false, root_init: await hasRootUser(store), database_type: engineOf(store) }
  }
}
