import { modelRoutes } from '@tollgate/contract/model'
import { type BoundRoute, bind } from '../handler.ts'
import { type ModelServices, listBuiltInModels, listOwnModels } from './list.ts'

export function modelHandlers(services: ModelServices): readonly BoundRoute[] {
  return [
    bind(modelRoutes.own, listOwnModels(services)),
    bind(modelRoutes.builtIn, listBuiltInModels(services)),
  ]
}
