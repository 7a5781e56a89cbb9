import { rm } from 'node:fs/promises'
import type { Alarm, CommandContext } from '../core/command.ts'
import type { JournalRange } from '../core/journal-range.ts'
import type { InstanceState, JournalPosition, LedgerStorage } from '../core/storage.ts'
import { type JournalFileInfo, listJournals } from '../journal/journal-folder.ts'
import { type JournalState, removableJournals } from '../journal/removable-journals.ts'
import { alarmsOf, journalNotUsable } from './journal-problems.ts'
import { lineEnds } from '../journal/line-ends.ts'

export interface AdoptionParts {
  readonly storage: Pick<LedgerStorage, 'fold' | 'positions' | 'statesOf' | 'forgetJournal'>
  readonly folder: string
  readonly databaseId: string
  readonly now: () => CommandContext
  readonly onAlarm: (alarm: Alarm) => void
}

export interface Adoption {
  /** Whether the instance can no longer write: its state in the database, `undefined` when it is not known there. */
  readonly isOver: (instanceId: string, state: InstanceState | undefined) => boolean
  /** Its allotments were returned before: known calls are skipped, and the charges of others are late. */
  readonly isLate: boolean
}

const TRIES_MAX = 5

/** At most this many lines are folded in one transaction. */
const LINES_AT_ONCE = 1_000

/**
 * Folds what processes that have ended left in the folder, and charges their calls that have no end. Returns the
 * number of those calls. Two processes may adopt the same file: each range is folded once.
 */
export async function adoptJournals(parts: AdoptionParts, { isOver, isLate }: Adoption): Promise<number> {
  const { storage, folder, databaseId, onAlarm } = parts
  const found = readFolder(folder, databaseId)
  if (found.length === 0) return 0
  const states = await storage.statesOf([...new Set(found.map(({ instanceId }) => instanceId))])
  const files = found.filter(({ instanceId }) => isOver(instanceId, states.get(instanceId)))
  if (files.length === 0) return 0
  const known = await storage.positions()
  let recovered = 0
  const foreign: JournalFileInfo[] = []
  for (const file of files) {
    if (isOurs(file, states))
      recovered += await foldUnfolded(parts, { file, isLate, known: known.find(isOf(file)) })
    else foreign.push(file)
  }
  for (const alarm of alarmsOf(foreign)) onAlarm(alarm)
  return recovered
}

function isOf(file: JournalFileInfo): (position: JournalPosition) => boolean {
  return ({ fileId }) => fileId === file.fileId
}

interface Unfolded {
  readonly file: JournalFileInfo
  readonly isLate: boolean
  readonly known: JournalPosition | undefined
  readonly tries?: number
}

/** Another process that adopts the file, or its own one, may fold a part of it meanwhile: continues behind that. */
async function foldUnfolded(parts: AdoptionParts, unfolded: Unfolded): Promise<number> {
  const { storage, now, onAlarm } = parts
  let recovered = 0
  for (const range of rangesOf(unfolded)) {
    const { result, alarms } = await storage.fold(range, now())
    for (const alarm of alarms) onAlarm(alarm)
    if (result.type === 'folded') recovered += result.recovered
    if (result.type === 'folded' && result.to === undefined) continue
    if (unfolded.tries === TRIES_MAX) return recovered
    const known = (await storage.positions()).find(isOf(unfolded.file))
    return recovered + (await foldUnfolded(parts, { ...unfolded, known, tries: (unfolded.tries ?? 1) + 1 }))
  }
  return recovered
}

/** Nothing when everything was folded before and no call was open then. */
function* rangesOf({ file, isLate, known }: Unfolded): Generator<JournalRange> {
  const { path, fileId, instanceId, end, isLast } = file
  let from = known?.position ?? 0
  const openFrom = known?.openFrom ?? 0
  const to = Math.max(from, end)
  const common = { path, fileId, instanceId, reports: [], isLate }
  for (const middle of lineEnds(path, { from, to, lines: LINES_AT_ONCE })) {
    yield { ...common, from, to: middle }
    from = middle
  }
  if (to === from && (!isLast || openFrom >= to)) return
  yield { ...common, from, to, openFrom: to, last: isLast ? { openFrom } : undefined }
}

/**
 * At a start over SQLite, whose owner knows that no earlier process can run any more: folds what is left, and removes
 * old files.
 */
export async function adoptAtStart(parts: AdoptionParts): Promise<number> {
  const ownId = parts.now().instanceId
  const isOver = (instanceId: string): boolean => instanceId !== ownId
  const recovered = await adoptJournals(parts, { isOver, isLate: false })
  await removeOldJournals(parts)
  return recovered
}

/** Removes files that are wholly folded and have been kept long enough. */
export async function removeOldJournals(
  { storage, folder, databaseId, now }: AdoptionParts,
  { isRoomNeeded = false } = {},
): Promise<void> {
  const files = listJournals(folder, databaseId)
  if (files.length === 0) return
  const positions = new Map((await storage.positions()).map((each) => [each.fileId, each]))
  const states = await storage.statesOf([...new Set(files.map(({ instanceId }) => instanceId))])
  const stateOf = ({ fileId, instanceId }: JournalFileInfo): JournalState => {
    const instance = instanceId === now().instanceId ? 'alive' : (states.get(instanceId) ?? 'dead')
    return { position: positions.get(fileId)?.position ?? 0, instance }
  }
  for (const { path, fileId } of removableJournals(files, stateOf, { nowMs: now().nowMs, isRoomNeeded })) {
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
function isOurs(
  { problem, instanceId }: JournalFileInfo,
  states: ReadonlyMap<string, InstanceState>,
): boolean {
  return problem === undefined || (problem === 'damaged_header' && states.has(instanceId))
}
