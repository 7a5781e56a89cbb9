import { setupRoutes } from '@tollgate/contract/setup'
import { type BoundRoute, bind } from '../handler.ts'
import { type SetupServices, runSetup } from './run.ts'
import { getSetup } from './state.ts'

export function setupHandlers(services: SetupServices): readonly BoundRoute[] {
  return [bind(setupRoutes.read, getSetup(services)), bind(setupRoutes.run, runSetup(services))]
}
