/** The first release that has a column. `all`: one-api and every new-api. `fork`: a fork of new-api alone. */
export type FirstRelease = 'all' | 'one-api' | '2025-04' | '2025-10' | '2026-04' | '2026-09' | 'fork'

export type ColumnType = 'whole' | 'decimal' | 'flag' | 'text' | 'json' | 'seconds' | 'time'

/**
 * What becomes of a value. `kept`: it is read. `derived`: Tollgate makes it anew from other rows. `inert`: it has
 * no meaning outside the old program. `lost`: it is not read, and the report names it.
 */
export type ColumnFate = 'kept' | 'derived' | 'inert' | 'lost'

/** Why a value matters for money or access; such a loss stands first in the report. */
export type LossWeight = 'ends' | 'limits' | 'prices' | 'protects' | 'pays'

export interface FamilyColumn {
  readonly table: string
  /** A column, or `column.member` for a member of a JSON column. */
  readonly column: string
  readonly type: ColumnType
  /** The value that new rows get, as text; empty for an empty text, zero, false and NULL. */
  readonly default: string
  readonly fate: ColumnFate
  readonly since: FirstRelease
  readonly weight: LossWeight | undefined
  /** For `lost`: what happens to the people concerned. */
  readonly consequence: string
  readonly source: FamilySource
}

/** Where the facts about a table come from. */
export interface FamilySource {
  readonly document: string
  readonly address: string
  readonly date: string
}

export type ColumnRow = readonly [
  column: string,
  type: ColumnType,
  fallback: string,
  fate: ColumnFate,
  since: FirstRelease,
  weight?: LossWeight | '',
  consequence?: string,
]

export function defineColumns(
  table: string,
  source: FamilySource,
  rows: readonly ColumnRow[],
): readonly FamilyColumn[] {
  return rows.map(([column, type, fallback, fate, since, weight, consequence = '']) => ({
    table,
    column,
    type,
    default: fallback,
    fate,
    since,
    weight: weight || undefined,
    consequence,
    source,
  }))
}
