import { optionDefinition } from '@tollgate/contract/options/index'
import { text } from '@tollgate/importer/cell'
import type { SourceRow } from '@tollgate/importer/source'
import type { Cipher } from '@tollgate/kit/cipher'
import { listOptions, writeOption } from '@tollgate/store/operations/options'
import { optionCipherContext } from '../../snapshots/site-settings.ts'
import type { ImportContext } from './import-context.ts'
import { type OptionReading, optionReader } from './read-options.ts'

const TABLE = 'options'
const HIDDEN = '[secret]'
const NOBODY = 0

/**
 * Imports settings by key, validated as if an administrator had typed them in. Settings that are already set
 * here stay.
 */
export async function importOptions(context: ImportContext): Promise<void> {
  const { source, db, report } = context
  const present = new Map((await listOptions(db)).map(({ key, value }) => [key, value]))
  const tally = report.tally(TABLE)
  for await (const rows of source.pages(TABLE)) {
    const read = optionReader(rows)
    for (const row of rows) {
      tally.read++
      tally[await passOption(context, { row, reading: read(row) }, present)]++
    }
  }
}

type Fate = 'written' | 'known' | 'skipped'

async function passOption(
  context: ImportContext,
  { row, reading }: { row: SourceRow; reading: OptionReading },
  present: ReadonlyMap<string, string>,
): Promise<Fate> {
  const { report, writing } = context
  const key = text(row, 'key')
  if (reading.type === 'refused') {
    report.note({ table: TABLE, id: key, code: reading.code, detail: reading.detail })
    await writing?.sideFile.add(TABLE, row, reading.code)
    return 'skipped'
  }
  if (reading.note) report.note({ table: TABLE, id: key, ...reading.note })
  const there = present.get(key)
  if (there === undefined) {
    await write(context, reading)
    return 'written'
  }
  if (isSame(there, reading, writing?.cipher)) return 'known'
  report.note({ table: TABLE, id: key, code: 'option-kept', detail: 'the source has another value' })
  return 'known'
}

type Accepted = Extract<OptionReading, { type: 'accepted' }>

async function write({ db, writing, nowMs }: ImportContext, { key, value }: Accepted): Promise<void> {
  if (!writing) return
  const { isSecret } = optionDefinition(key)
  await writeOption(db, {
    key,
    value: isSecret && value !== '' ? writing.cipher.encrypt(value, optionCipherContext(key)) : value,
    shownValue: isSecret ? HIDDEN : value,
    shownBefore: (before) => (isSecret ? HIDDEN : before),
    nowMs,
    actorId: NOBODY,
  })
}

/** A dry run has no key to decrypt a secret with, so a secret counts as unchanged. */
function isSame(there: string, { key, value }: Accepted, cipher: Cipher | undefined): boolean {
  if (!optionDefinition(key).isSecret || there === '') return there === value
  return cipher === undefined || cipher.decrypt(there, optionCipherContext(key)) === value
}
