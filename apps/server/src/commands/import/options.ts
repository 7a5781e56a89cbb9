import { optionDefinition } from '@tollgate/contract/options'
import { text } from '@tollgate/importer/cell'
import type { SourceRow } from '@tollgate/importer/source'
import type { Seal } from '@tollgate/kit/seal'
import { listOptions, writeOption } from '@tollgate/store/options'
import { optionSealContext } from '../../books/site-settings.ts'
import type { Passage } from './passage.ts'
import { type OptionReading, optionReader } from './read-options.ts'

const TABLE = 'options'
const HIDDEN = '[secret]'
const NOBODY = 0

/** Settings by their keys, checked as if somebody typed them in. What is set here already stays. */
export async function passOptions(passage: Passage): Promise<void> {
  const { source, db, report } = passage
  const present = new Map((await listOptions(db)).map(({ key, value }) => [key, value]))
  const tally = report.tally(TABLE)
  for await (const rows of source.pages(TABLE)) {
    const read = optionReader(rows)
    for (const row of rows) {
      tally.read++
      tally[await passOption(passage, { row, reading: read(row) }, present)]++
    }
  }
}

type Fate = 'written' | 'known' | 'skipped'

async function passOption(
  passage: Passage,
  { row, reading }: { row: SourceRow; reading: OptionReading },
  present: ReadonlyMap<string, string>,
): Promise<Fate> {
  const { report, writing } = passage
  const key = text(row, 'key')
  if (reading.type === 'refused') {
    report.note({ table: TABLE, id: key, code: reading.code, detail: reading.detail })
    await writing?.sideFile.add(TABLE, row, reading.code)
    return 'skipped'
  }
  if (reading.note) report.note({ table: TABLE, id: key, ...reading.note })
  const there = present.get(key)
  if (there === undefined) {
    await write(passage, reading)
    return 'written'
  }
  if (isSame(there, reading, writing?.seal)) return 'known'
  report.note({ table: TABLE, id: key, code: 'option-kept', detail: 'the source has another value' })
  return 'known'
}

type Accepted = Extract<OptionReading, { type: 'accepted' }>

async function write({ db, writing, nowMs }: Passage, { key, value }: Accepted): Promise<void> {
  if (!writing) return
  const { isSecret } = optionDefinition(key)
  await writeOption(db, {
    key,
    value: isSecret && value !== '' ? writing.seal.seal(value, optionSealContext(key)) : value,
    shownValue: isSecret ? HIDDEN : value,
    shownBefore: (before) => (isSecret ? HIDDEN : before),
    nowMs,
    actorId: NOBODY,
  })
}

/** While only looking there is no key to open a secret with; it counts as the same. */
function isSame(there: string, { key, value }: Accepted, seal: Seal | undefined): boolean {
  if (!optionDefinition(key).isSecret || there === '') return there === value
  return seal === undefined || seal.open(there, optionSealContext(key)) === value
}
