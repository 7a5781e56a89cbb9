import { optionDefinition } from '@tollgate/contract/options/index'
import { describeGuess, estimateWeight } from '@tollgate/importer/family/estimate-weight'
import { findFamilyOption } from '@tollgate/importer/family/options'
import type { Cipher } from '@tollgate/kit/cipher'
import { listOptions, writeOption } from '@tollgate/store/operations/options'
import { optionCipherContext } from '../../snapshots/site-settings.ts'
import type { ImportContext } from './import-context.ts'
import { prepareOptions } from './prepare-options.ts'
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
    tally.read += rows.length
    const { texts, notes } = prepareOptions(rows)
    report.note(...notes)
    const read = optionReader(texts)
    for (const [key, value] of texts)
      tally[await passOption(context, { key, value, reading: read(key, value) }, present)]++
  }
}

type Fate = 'written' | 'known' | 'skipped'

interface ReadSetting {
  readonly key: string
  readonly value: string
  readonly reading: OptionReading
}

async function passOption(
  context: ImportContext,
  { key, value, reading }: ReadSetting,
  present: ReadonlyMap<string, string>,
): Promise<Fate> {
  const { report, writing } = context
  switch (reading.type) {
    case 'unset':
      return 'skipped'
    case 'unknown':
      await noteUnknown(context, key, value)
      return 'skipped'
    case 'refused':
      report.note({ table: TABLE, id: key, code: reading.code, detail: reading.detail })
      await writing?.sideFile.add(TABLE, { key, value }, reading.code)
      return 'skipped'
    case 'accepted':
      return passAccepted(context, reading, present)
    default:
      return reading satisfies never
  }
}

async function passAccepted(
  context: ImportContext,
  reading: Accepted,
  present: ReadonlyMap<string, string>,
): Promise<Fate> {
  const { report, writing } = context
  const { key, notes } = reading
  report.note(...notes.map((note) => ({ table: TABLE, id: key, ...note })))
  const there = present.get(key)
  if (there === undefined) {
    await write(context, reading)
    return 'written'
  }
  if (isSame(there, reading, writing?.cipher)) return 'known'
  report.note({ table: TABLE, id: key, code: 'option-kept', detail: 'the source has another value' })
  return 'known'
}

/** A setting of the family, or of a fork, that this version does not have: reported unless it is as new. */
async function noteUnknown({ report, writing }: ImportContext, key: string, value: string): Promise<void> {
  const familyOption = findFamilyOption(key)
  const plain = value.trim()
  if (plain === '' || isSameText(plain, familyOption?.default ?? '')) return
  const weight = familyOption ? familyOption.weight : estimateWeight(key, plain)
  const consequence = familyOption ? familyOption.consequence : weight ? describeGuess(weight) : ''
  report.losses.push({ table: TABLE, name: key, rows: 1, weight, consequence })
  await writing?.sideFile.add(TABLE, { key, value }, 'option-unknown')
}

/** JSON may be written with or without blanks. */
function isSameText(left: string, right: string): boolean {
  return left.replaceAll(/\s/g, '') === right.replaceAll(/\s/g, '')
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
