import type { CallerDialect, ListedModel } from '@tollgate/dialects/canonical/codec'
import { factsOf } from '@tollgate/dialects/traits/facts'
import { problem } from '@tollgate/problems/problem'
import type { Snapshots, OfferedModel } from '../snapshots/snapshots.ts'
import type { Caller } from './stations/admit/caller.ts'
import { groupsOf } from './stations/admit/group.ts'
import { pageOf } from './model-page.ts'

/** The creation time reported for every model, because the real one is not known. */
const CREATED = 1_626_777_600

/** `GET /v1/models`: the models that this caller may use and that at least one channel serves. */
export function modelList(caller: Caller, snapshots: Snapshots, { dialect, query }: Asked): string {
  const { models, ...page } = pageOf(offeredTo(caller, snapshots), query, dialect.name)
  return JSON.stringify(dialect.writeModels(models.map(listed), page))
}

interface Asked {
  readonly dialect: CallerDialect
  readonly query: URLSearchParams
}

/** `GET /v1/models/:model`; throws a Problem for a model that this caller may not use. */
export function modelEntry(
  caller: Caller,
  model: string,
  snapshots: Snapshots,
  dialect: CallerDialect,
): string {
  const offered = offeredTo(caller, snapshots).find(({ id }) => id === model)
  if (offered === undefined) throw problem('model_not_found', { model })
  return JSON.stringify(entryOf(offered, dialect))
}

/** The models that a caller may use and that at least one channel serves. */
export function offeredTo({ owner, token }: Caller, snapshots: Snapshots): readonly OfferedModel[] {
  if (token === undefined) return []
  const prices = snapshots.prices()
  const groups = groupsOf({ owner, token }, prices, snapshots.settings().autoGroups)
  const offered = groups.flatMap((group) => snapshots.roster().models(group))
  const distinct =
    groups.length === 1 ? offered : [...new Map(offered.map((each) => [each.id, each])).values()]
  return distinct.filter(({ id }) => token.models === undefined || token.models.has(id))
}

function listed({ id, root, ownedBy }: OfferedModel): ListedModel {
  return { id, root, owner: ownedBy, createdSeconds: CREATED, facts: factsOf(root) }
}

/** Writes a list of one model in the dialect and returns its only entry. */
function entryOf(offered: OfferedModel, dialect: CallerDialect): unknown {
  const [entries] = Object.values(dialect.writeModels([listed(offered)])).filter(Array.isArray)
  return entries?.[0]
}
