import { z } from 'zod'
import { NOT_AN_ID } from './text.ts'

/**
 * Query values are parsed as in new-api: an integer that does not parse becomes the fallback, and a boolean
 * is true for a few spellings and false otherwise. A value out of range is replaced by the nearest limit, so
 * that no page is unbounded.
 */

const queryValue = z.union([z.string().max(1000), z.number(), z.boolean()]).optional()
const TRUE_SPELLINGS = new Set(['1', 't', 'T', 'true', 'True', 'TRUE'])
const INTEGER = /^[+-]?\d{1,15}$/

interface IntegerRange {
  readonly fallback: number
  readonly min: number
  readonly max: number
}

export function queryInteger({ fallback, min, max }: IntegerRange) {
  return queryValue.transform((value) => Math.min(Math.max(readInteger(value) ?? fallback, min), max))
}

/** Returns `undefined` ("no filter") when the value is missing, empty, zero or not a number. */
export function queryFilterId() {
  return queryValue.transform((value) => readInteger(value) || undefined)
}

export function queryFlag() {
  return queryValue.transform((value) => value !== undefined && TRUE_SPELLINGS.has(String(value)))
}

/** A search term: trimmed, at most 64 characters, `undefined` when empty. */
export function queryTerm(charactersMax = SEARCH_CHARACTERS_MAX) {
  return z
    .string()
    .max(charactersMax)
    .optional()
    .transform((text) => text?.trim() || undefined)
}

/** Digits only: `0x1`, `1e3` and ` 1` are numbers to a programming language but not valid ids. */
const ID = /^[1-9]\d{0,15}$/

/** The id of the row in the path. */
export const idParams = z.object({
  id: z
    .union([z.int(), z.string()])
    .refine((id) => ID.test(String(id)) && Number.isSafeInteger(Number(id)), {
      error: NOT_AN_ID,
    })
    .transform(Number),
})

/** The ids of a selection. An empty selection is reported with the problem of code `noneProblem`. */
export function selectedIds({ idsMax, noneProblem }: { idsMax: number; noneProblem: string }) {
  return z.array(z.int().positive(), { error: noneProblem }).min(1, { error: noneProblem }).max(idsMax)
}

/** Extra top-level member beside a bare array: the total number of matching rows. */
export const totalExtra = z.object({ total: z.int() })

/** The data of a route that answers with a page of rows. */
export function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({ items: z.array(row), total: z.int(), page: z.int(), page_size: z.int() })
}

export const PAGE_ROWS_DEFAULT = 10
export const PAGE_ROWS_MAX = 100
export const PAGES_MAX = 1_000_000
export const SEARCH_CHARACTERS_MAX = 64

/** For pages counted from 0, in the parameter `p`. */
export const zeroBasedPage = queryInteger({ fallback: 0, min: 0, max: PAGES_MAX })
/** For pages counted from 1; 0 also means the first page. */
export const oneBasedPage = queryInteger({ fallback: 1, min: 1, max: PAGES_MAX })

/** Missing, 0 or negative means `fallback`, because nobody wants an empty page. */
export function pageRows(fallback = PAGE_ROWS_DEFAULT) {
  return queryValue.transform((value) => {
    const asked = readInteger(value) ?? 0
    return asked > 0 ? Math.min(asked, PAGE_ROWS_MAX) : fallback
  })
}

function readInteger(value: string | number | boolean | undefined): number | undefined {
  const text = String(value ?? '').trim()
  return INTEGER.test(text) ? Number(text) : undefined
}
