import { tokenUsageRoutes } from '@tollgate/contract/token-usage'
import { type BoundRoute, bind } from '../handler.ts'
import { type TokenUsageServices, readTokenUsage } from './read.ts'

export function tokenUsageHandlers(services: TokenUsageServices): readonly BoundRoute[] {
  return [bind(tokenUsageRoutes.read, readTokenUsage(services))]
}
