import { NOTE_CODES, type NoteCode } from '@tollgate/importer/note'

const PLACES = new Map(Object.keys(NOTE_CODES).map((code, place) => [code, place]))

/** In the order of the list of codes: what ends, limits, prices, protects or pays first. */
export function sortNotes<Value>(
  notes: ReadonlyMap<NoteCode, Value>,
): readonly (readonly [NoteCode, Value])[] {
  return [...notes].toSorted(([left], [right]) => (PLACES.get(left) ?? 0) - (PLACES.get(right) ?? 0))
}
