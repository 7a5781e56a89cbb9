import { type ModelStatus, STATUS_DAYS, statusPageRoutes } from '@tollgate/contract/status-page'
import { type ModelDay, busiestModels, listModelDays } from '@tollgate/store/operations/model-days'
import { type GroupServices, usableGroups } from '../group/usable.ts'
import { type BoundRoute, bind } from '../handler.ts'
import type { Services } from '../services.ts'

type StatusPageServices = Pick<Services, 'store' | 'clock'> & GroupServices

const DAY_MS = 86_400_000
/** Visitors read the page without an account, so that the database is asked at most once a minute. */
const CACHED_MS = 60_000
const MODELS_MAX = 50
/** Calls for more models than this are counted only where an attacker invents names. */
const COUNTED_MODELS_MAX = 2_000
/** A model is down when fewer of today's calls were served. */
const UP_SHARE = 0.5

export function statusPageHandlers(services: StatusPageServices): readonly BoundRoute[] {
  const { options, clock } = services
  const read = cachedStatus(services)
  return [
    bind(statusPageRoutes.read, async () => {
      const isEnabled = options.get('StatusPageEnabled')
      return {
        is_enabled: isEnabled,
        incidents: isEnabled ? options.get('StatusPageIncidents') : '',
        today: new Date(clock.nowMs()).toISOString().slice(0, 10),
        models: isEnabled ? await read() : [],
      }
    }),
    bind(statusPageRoutes.uptime, async () => {
      if (!options.get('StatusPageEnabled')) return []
      const models = await read()
      return models.length === 0 ? [] : [{ categoryName: 'Models', monitors: models.map(monitorOf) }]
    }),
  ]
}

function monitorOf({ model, availability, days }: ModelStatus) {
  const latest = days.findLast((share) => share !== null) ?? 1
  return { name: model, group: '', uptime: availability ?? 1, status: latest >= UP_SHARE ? 1 : 0 }
}

function cachedStatus(services: StatusPageServices): () => Promise<ModelStatus[]> {
  const { options, clock } = services
  let known:
    | { readonly key: string; readonly untilMs: number; readonly models: Promise<ModelStatus[]> }
    | undefined
  return () => {
    const chosen = options.get('StatusPageModels')
    const key = chosen.join('\n')
    if (known === undefined || known.key !== key || clock.nowMs() >= known.untilMs) {
      const models = readStatus(services, chosen)
      known = { key, untilMs: clock.nowMs() + CACHED_MS, models }
      models.catch(() => (known = undefined))
    }
    return known.models
  }
}

async function readStatus(services: StatusPageServices, chosen: readonly string[]): Promise<ModelStatus[]> {
  const { store, clock } = services
  const today = Math.floor(clock.nowMs() / DAY_MS)
  const sinceDay = today - STATUS_DAYS + 1
  const models = chosen.length > 0 ? chosen.slice(0, MODELS_MAX) : await readBusiestModels(services, sinceDay)
  const rows = Map.groupBy(await listModelDays(store, { models, sinceDay }), ({ model }) => model)
  return models.map((model) => statusOf(model, rows.get(model) ?? [], sinceDay))
}

/** Of the models that anybody may see: those of groups for which nobody needs to be chosen. */
async function readBusiestModels(services: StatusPageServices, sinceDay: number): Promise<string[]> {
  const roster = services.snapshots.roster()
  const groups = [...usableGroups(services, '').keys()]
  const shown = new Set(groups.flatMap((group) => roster.models(group).map(({ id }) => id)))
  const busiest = await busiestModels(services.store, sinceDay, COUNTED_MODELS_MAX)
  return busiest.filter((model) => shown.has(model)).slice(0, MODELS_MAX)
}

function statusOf(model: string, rows: readonly ModelDay[], sinceDay: number): ModelStatus {
  const days: (number | null)[] = Array.from({ length: STATUS_DAYS }, () => null)
  let [succeeded, all] = [0, 0]
  for (const row of rows) {
    const count = row.succeeded + row.failed
    days[row.day - sinceDay] = count === 0 ? null : rounded(row.succeeded / count)
    succeeded += row.succeeded
    all += count
  }
  return { model, availability: all === 0 ? null : rounded(succeeded / all), days }
}

/** Rounded down, so that 100 % means that every call was served. */
function rounded(share: number): number {
  return Math.floor(share * 10_000) / 10_000
}
