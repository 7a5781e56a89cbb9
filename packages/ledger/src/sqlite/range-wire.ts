import type { CommandContext } from '../core/command.ts'
import type { JournalRange } from '../core/journal-range.ts'
import type { Payload } from '@tollgate/store/sqlite/engine'
import { decodeReport, encodeReport } from './allotment-wire.ts'
import { WireReader } from './wire.ts'

/** A range of a journal on its way to the thread that reads and folds it. */

export function encodeRange(range: JournalRange, { nowMs, instanceId }: CommandContext): string {
  return JSON.stringify([
    nowMs,
    instanceId,
    range.path,
    range.fileId,
    range.instanceId,
    range.from,
    range.to,
    range.openFrom ?? null,
    range.reports.map(encodeReport),
    Number(range.isLate ?? false),
    range.last?.openFrom ?? null,
    Number(range.isOwn ?? false),
  ])
}

export function decodeRange(payload: Payload): {
  readonly context: CommandContext
  readonly range: JournalRange
} {
  const wire = WireReader.parse(payload)
  return {
    context: { nowMs: wire.number(), instanceId: wire.text() },
    range: {
      path: wire.text(),
      fileId: wire.text(),
      instanceId: wire.text(),
      from: wire.number(),
      to: wire.number(),
      openFrom: wire.optionalNumber(),
      reports: wire.readers().map(decodeReport),
      isLate: wire.flag(),
      last: decodeLast(wire.optionalNumber()),
      isOwn: wire.flag(),
    },
  }
}

function decodeLast(openFrom: number | undefined): JournalRange['last'] {
  return openFrom === undefined ? undefined : { openFrom }
}
