import { usageRoutes } from '@tollgate/contract/usage'
import { type BoundRoute, bind } from '../handler.ts'
import type { Services } from '../services.ts'
import { countInterrupted, readWaivedUsage } from './losses.ts'
import { readHours, readOwnHours } from './hours.ts'
import { readOwnSeries, readSeries } from './series.ts'

export function usageHandlers(services: Services): readonly BoundRoute[] {
  return [
    bind(usageRoutes.series, readSeries(services)),
    bind(usageRoutes.seriesOwn, readOwnSeries(services)),
    bind(usageRoutes.interrupted, countInterrupted(services)),
    bind(usageRoutes.waived, readWaivedUsage(services)),
    bind(usageRoutes.hours, readHours(services)),
    bind(usageRoutes.hoursOwn, readOwnHours(services)),
  ]
}
