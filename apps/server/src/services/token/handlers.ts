import { tokenRoutes } from '@tollgate/contract/token'
import { type BoundRoute, bind } from '../handler.ts'
import { createToken } from './create.ts'
import { getOwnToken } from './get.ts'
import { listOwnTokens, searchOwnTokens } from './list.ts'
import { removeOwnToken, removeOwnTokens } from './remove.ts'
import { revealOwnKey, revealOwnKeys } from './reveal.ts'
import type { TokenServices } from './services.ts'
import { setStatusOfOwnTokens } from './set-status-many.ts'
import { updateOwnToken } from './update.ts'

export function tokenHandlers(services: TokenServices): readonly BoundRoute[] {
  return [
    bind(tokenRoutes.list, listOwnTokens(services)),
    bind(tokenRoutes.search, searchOwnTokens(services)),
    bind(tokenRoutes.get, getOwnToken(services)),
    bind(tokenRoutes.create, createToken(services)),
    bind(tokenRoutes.update, updateOwnToken(services)),
    bind(tokenRoutes.remove, removeOwnToken(services)),
    bind(tokenRoutes.removeMany, removeOwnTokens(services)),
    bind(tokenRoutes.setStatusMany, setStatusOfOwnTokens(services)),
    bind(tokenRoutes.reveal, revealOwnKey(services)),
    bind(tokenRoutes.revealMany, revealOwnKeys(services)),
  ]
}
