import { optionRoutes } from '@tollgate/contract/option'
import { optionHistoryRoutes } from '@tollgate/contract/option-history'
import { type BoundRoute, bind } from '../handler.ts'
import { type OptionServices, updateOption } from './change.ts'
import { listHistory, revertOption } from './history.ts'
import { listOptions } from './list.ts'

export function optionHandlers(services: OptionServices): readonly BoundRoute[] {
  return [
    bind(optionRoutes.list, listOptions(services.settings)),
    bind(optionRoutes.update, updateOption(services)),
    bind(optionHistoryRoutes.list, listHistory(services)),
    bind(optionHistoryRoutes.revert, revertOption(services)),
  ]
}
