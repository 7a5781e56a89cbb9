import { text } from '@tollgate/importer/cell'
import { optionAliases } from '@tollgate/importer/family/options'
import type { Note } from '@tollgate/importer/note'
import type { SourceRow } from '@tollgate/importer/source'
import { convertPrices } from './convert-prices.ts'

/** The settings of the source under our names. */
export interface PreparedOptions {
  readonly texts: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
}

/** A setting under its own name goes before one under another name for the same. */
export function prepareOptions(rows: readonly SourceRow[]): PreparedOptions {
  const stored = new Map(rows.map((row) => [text(row, 'key'), text(row, 'value')]))
  const texts = new Map<string, string>()
  const notes: Note[] = []
  for (const [key, value] of stored) {
    const own = optionAliases[key]
    if (own === undefined) texts.set(key, value)
    else if (!stored.has(own)) {
      texts.set(own, value)
      notes.push({ table: 'options', id: key, code: 'option-alias', detail: `${own} here` })
    }
  }
  // The site charges as its source did, until its operator says otherwise.
  if (!texts.has('ListedFeesCharged')) texts.set('ListedFeesCharged', 'false')
  const { texts: converted, notes: priced } = convertPrices(texts)
  return { texts: converted, notes: [...notes, ...priced] }
}
