import { AUTO_GROUP } from '@tollgate/contract/token'
import { parseOption } from '@tollgate/contract/options/index'
import { whole } from '@tollgate/importer/cell'
import { markCopy, readInstallation } from '@tollgate/store/operations/installation'
import { insertAudit } from '@tollgate/store/accounts/audit-log'
import { noteSetup } from '@tollgate/store/transfer/imported-rows'
import { listOptions } from '@tollgate/store/operations/options'
import { hasRootUser } from '@tollgate/store/accounts/users'
import { defaultText } from '../../snapshots/default-text.ts'
import type { ImportContext } from './import-context.ts'

/** Notes the groups that users, tokens or channels belong to but that have no group ratio. */
export async function importGroups({ db, report }: ImportContext): Promise<void> {
  const stored = (await listOptions(db)).find(({ key }) => key === 'GroupRatio')
  const ratios = parseOption('GroupRatio', stored?.value ?? defaultText('GroupRatio'))
  const known = ratios.type === 'accepted' ? ratios.value : new Map()
  for (const group of report.groups)
    if (!known.has(group) && group !== AUTO_GROUP)
      report.note({
        table: 'options',
        id: group,
        code: 'group-without-ratio',
        detail: 'GroupRatio does not name it',
      })
}

/** Marks the setup as done when a root user was imported, so that the setup page does not appear. */
export async function closeSetup({ db, source, nowMs }: ImportContext, version: string): Promise<void> {
  if (!(await hasRootUser(db))) return
  let initializedAt = Math.floor(nowMs / 1000)
  for await (const [row] of source.pages('setups', { rowsMax: 1 })) {
    initializedAt = whole(row ?? {}, 'initialized_at') || initializedAt
    break
  }
  await noteSetup(db, { version, initializedAt })
}

export async function writeAuditRow({ db, source, sourceId, report, nowMs }: ImportContext): Promise<void> {
  // A later import adds to a database that a gateway serves already.
  if ((await readInstallation(db)) === undefined) await markCopy(db, { cause: 'imported', nowMs })
  const written = [...report.tables].map(([table, tally]) => [table, tally.written])
  await insertAudit(db, {
    actor_id: 0,
    action: 'import',
    entity: 'source',
    entity_id: sourceId,
    before_json: null,
    after_json: JSON.stringify({ from: source.name, written: Object.fromEntries(written) }),
    address: '',
    created_ms: nowMs,
  })
}
