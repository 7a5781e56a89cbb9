import { userRoutes } from '@tollgate/contract/user'
import { type BoundRoute, bind } from '../handler.ts'
import type { SessionServices } from '../session/services.ts'
import { resetAccessToken } from './access-token.ts'
import { getSelf } from './self.ts'
import { updateSelf } from './update-self.ts'

export function userHandlers(services: SessionServices): readonly BoundRoute[] {
  return [
    bind(userRoutes.readSelf, getSelf(services)),
    bind(userRoutes.updateSelf, updateSelf(services)),
    bind(userRoutes.resetAccessToken, resetAccessToken(services)),
    bind(userRoutes.resetAccessTokenByGet, resetAccessToken(services)),
  ]
}
