import { rm } from 'node:fs/promises'
import type { Alarm, CommandContext } from '../core/command.ts'
import type { JournalRange } from '../core/journal-range.ts'
import type { JournalPosition, LedgerStorage } from '../core/storage.ts'
import { type JournalFileInfo, listJournals } from '../journal/journal-folder.ts'
import { alarmsOf, journalNotUsable } from './journal-problems.ts'
import { type JournalState, removableJournals } from '../journal/removable-journals.ts'

export interface AdoptionParts {
  readonly storage: Pick<LedgerStorage, 'fold' | 'positions' | 'knowsInstance' | 'forgetJournal'>
  readonly folder: string
  readonly databaseId: string
  readonly now: () => CommandContext
  readonly onAlarm: (alarm: Alarm) => void
}

/**
 * Folds what earlier processes left in the folder, and charges their calls that have no end. To be called once
 * none of them can run any more, and before their allotments are returned. Returns the number of those calls.
 * Old files that are wholly folded are removed.
 */
export async function adoptJournals(parts: AdoptionParts): Promise<number> {
  const { storage, folder, databaseId, now, onAlarm } = parts
  const found = readFolder(folder, databaseId)
  const files = found.filter(({ instanceId }) => instanceId !== now().instanceId)
  const known = await storage.positions()
  let recovered = 0
  const foreign: JournalFileInfo[] = []
  for (const file of files)
    if (await isOurs(storage, file)) recovered += await foldRest(parts, file, known)
    else foreign.push(file)
  for (const alarm of alarmsOf(foreign)) onAlarm(alarm)
  await removeOldJournals(parts)
  return recovered
}

async function foldRest(
  { storage, now, onAlarm }: AdoptionParts,
  file: JournalFileInfo,
  known: readonly JournalPosition[],
): Promise<number> {
  const position = known.find(({ fileId }) => fileId === file.fileId)
  const rest = restOf(file, position)
  if (rest === undefined) return 0
  const { result, alarms } = await storage.fold(rest, now())
  for (const alarm of alarms) onAlarm(alarm)
  return result.type === 'folded' ? result.recovered : 0
}

/** `undefined` when everything was folded before and no call was open then. */
function restOf(
  { path, fileId, instanceId, end, isLast }: JournalFileInfo,
  position: JournalPosition | undefined,
): JournalRange | undefined {
  const from = position?.position ?? 0
  const openFrom = position?.openFrom ?? 0
  const to = Math.max(from, end)
  if (to === from && (!isLast || openFrom >= to)) return undefined
  const last = isLast ? { openFrom } : undefined
  return { path, fileId, instanceId, from, to, openFrom: to, reports: [], last }
}

/** Removes files that are wholly folded and have been kept long enough. */
export async function removeOldJournals({ storage, folder, databaseId, now }: AdoptionParts): Promise<void> {
  const files = listJournals(folder, databaseId)
  const positions = new Map((await storage.positions()).map((each) => [each.fileId, each]))
  const stateOf = ({ fileId, instanceId }: JournalFileInfo): JournalState => {
    const known = positions.get(fileId)
    const instance = instanceId === now().instanceId ? 'alive' : (known?.state ?? 'dead')
    return { position: known?.position ?? 0, instance }
  }
  for (const { path, fileId } of removableJournals(files, stateOf, now().nowMs)) {
    await rm(path, { force: true })
    await storage.forgetJournal(fileId)
  }
}

function readFolder(folder: string, databaseId: string): readonly JournalFileInfo[] {
  try {
    return listJournals(folder, databaseId)
  } catch (error) {
    throw journalNotUsable(folder, error)
  }
}

/** The header names the database. If it is damaged, the instance in the name of the file tells. */
async function isOurs(
  storage: Pick<LedgerStorage, 'knowsInstance'>,
  { problem, instanceId }: JournalFileInfo,
): Promise<boolean> {
  return problem === undefined || (problem === 'damaged_header' && (await storage.knowsInstance(instanceId)))
}
