import { dirname, join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { collectClaims } from '@tollgate/importer/claims'
import { openSource } from '@tollgate/importer/open-source'
import { requireNewApiSchema } from '@tollgate/importer/shape'
import type { Source } from '@tollgate/importer/source'
import { identifySource } from '@tollgate/importer/source-id'
import type { ImportLoss } from '@tollgate/importer/find-losses'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import type { AuditReport } from '@tollgate/ledger/audit-report'
import { CommandError } from '../command.ts'
import { version } from '../../version.ts'
import { importChannels } from './channels.ts'
import { importCodes } from './codes.ts'
import { closeSetup, importGroups, writeAuditRow } from './finish.ts'
import { type LogSource, logSources, importLogs, reserveLogIds } from './logs.ts'
import { noteLosses } from './losses.ts'
import { importOptions } from './options.ts'
import { openImportSource } from './open-import-source.ts'
import { importOrders } from './orders.ts'
import { importPlans } from './plans.ts'
import type { ImportContext, Writing } from './import-context.ts'
import type { Progress } from '../progress.ts'
import { Report } from './report.ts'
import { type SideFile, openSideFile } from './side-file.ts'
import { type Target, type TargetPlace, openTarget, openTargetToLook, updateTarget } from './target.ts'
import { importTasks } from './tasks.ts'
import { importTokens } from './tokens.ts'
import { importUsageHours } from './usage-hours.ts'
import { importUsers } from './users.ts'

export interface ImportRequest {
  /** A file path or a DSN; see `openSource`. */
  readonly from: string
  /** `config.yaml` of LiteLLM. */
  readonly config?: string
  /** The separate log database of the source, if it has one. */
  readonly logsFrom?: string
  readonly withLogs: boolean
  /** The rest of plans in force is credited to the balances of their users. */
  readonly creditsPlans?: boolean
  readonly isDryRun: boolean
  readonly place: TargetPlace
  readonly progress: Progress
  readonly clock?: Clock
}

export interface ImportResult {
  readonly sourceId: string
  readonly sourceName: string
  readonly report: Report
  /** Audit of all accounts after the import; `undefined` on a dry run. */
  readonly audit: AuditReport | undefined
  readonly sideFile: string | undefined
}

/**
 * Surveys the source first and then, unless it is a dry run, writes. Rejects with one sentence for the
 * operator when the source cannot be read or is not a database of new-api or a fork, or when the target
 * cannot be written or has conflicting rows; nothing is changed then.
 */
export async function runImport(request: ImportRequest): Promise<ImportResult> {
  const { source: main, losses } = await openImportSource(request.from, request.config)
  const split = request.logsFrom === undefined ? undefined : await openSource(request.logsFrom)
  try {
    requireNewApiSchema(main)
    const sourceId = await identifySource(main)
    const route = { request, source: main, sourceId, losses, logs: await logSources(main, split) }
    if (!request.isDryRun) await updateTarget(request.place)
    const report = await survey(route)
    if (request.isDryRun)
      return { sourceId, sourceName: main.name, report, audit: undefined, sideFile: undefined }
    return await write(route)
  } finally {
    await main.close()
    await split?.close()
  }
}

interface Route {
  readonly request: ImportRequest
  readonly source: Source
  readonly sourceId: string
  readonly logs: readonly LogSource[]
  readonly losses: readonly ImportLoss[]
}

/** Performs every step of the import without writing, and finds the obstacles. */
async function survey(route: Route): Promise<Report> {
  const { place } = route.request
  const view = await openTargetToLook(place)
  const report = new Report()
  try {
    await pass(passageOf(route, { report, db: view.db, writing: undefined }), route)
  } finally {
    await view.close()
  }
  if (report.obstacles.length > 0) throw refusal(report.obstacles)
  return report
}

const OBSTACLES_SHOWN = 3

function refusal(obstacles: readonly string[]): CommandError {
  const shown = obstacles.slice(0, OBSTACLES_SHOWN).join(', ')
  const more = obstacles.length > OBSTACLES_SHOWN ? ` and ${obstacles.length - OBSTACLES_SHOWN} more` : ''
  return new CommandError(
    `The target has rows of its own that stand in the way: ${shown}${more}. Import into an empty database (see SQLITE_PATH, SQL_DSN).`,
  )
}

async function write(route: Route): Promise<ImportResult> {
  const { place, clock = systemClock } = route.request
  const target = await openTarget(place, clock)
  try {
    const sideFile = await openSideFile(sidePath(place, route.sourceId))
    return await writeAll(route, target, sideFile).catch(async (error: unknown) => {
      await sideFile.abandon()
      throw error
    })
  } finally {
    await target.close()
  }
}

async function writeAll(route: Route, target: Target, sideFile: SideFile): Promise<ImportResult> {
  const { source, sourceId } = route
  const report = new Report()
  const context = passageOf(route, { report, db: target.db, writing: { ...target, sideFile } })
  await reserveLogIds(context, route.logs)
  await pass(context, route)
  await closeSetup(context, version)
  if (report.hasWritten) await writeAuditRow(context)
  const audit = await target.ledger.audit()
  await sideFile.close()
  const sidePlace = sideFile.rows > 0 ? sideFile.path : undefined
  return { sourceId, sourceName: source.name, report, audit, sideFile: sidePlace }
}

function passageOf(
  { request, source, sourceId }: Route,
  { report, db, writing }: { report: Report; db: Target['db']; writing: Writing | undefined },
): ImportContext {
  const nowMs = (request.clock ?? systemClock).nowMs()
  return { source, sourceId, db, report, progress: request.progress, nowMs, writing }
}

/**
 * Runs the steps of an import in order. Tokens come after their owners, and settings come before the rows
 * that are checked against them.
 */
async function pass(context: ImportContext, { request, source, logs, losses }: Route): Promise<void> {
  context.report.losses.push(...losses)
  const claims = await collectClaims(source)
  await importOptions(context)
  await importUsers(context, claims)
  await importPlans(context, { claims, isCredited: request.creditsPlans ?? false })
  await importTokens(context, claims)
  await importChannels(context)
  await importGroups(context)
  await importCodes(context)
  await importOrders(context)
  await importTasks(context)
  await importUsageHours(context)
  await noteLosses(context, { withLogs: request.withLogs, logs })
  if (request.withLogs) await importLogs(context, logs)
}

/**
 * The side file lies beside the embedded database, or in the `data` folder when the database is on a server.
 */
function sidePath({ sqlDsn, sqlitePath }: TargetPlace, sourceId: string): string {
  const folder = sqlDsn === '' ? dirname(sqlitePath) : 'data'
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, `import-${sourceId}.jsonl`)
}
