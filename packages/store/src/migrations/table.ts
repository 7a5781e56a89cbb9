import type { ColumnWord, Traits } from '../database/traits.ts'

/** A table in a migration. Each column is a type word of {@link Traits} followed by its constraints. */
export interface TableShape {
  readonly name: string
  readonly columns: Readonly<Record<string, string>>
  /** Further constraints, in SQL that all engines understand. */
  readonly constraints?: readonly string[]
  readonly indexes?: readonly IndexShape[]
}

export interface IndexShape {
  readonly columns: readonly string[]
  readonly isUnique?: boolean
  /** Unique, except that any number of rows may hold "". */
  readonly isUniqueUnlessEmpty?: boolean
}

/** Returns the statements that create a table and its indexes. */
export function createTable(traits: Traits, shape: TableShape): readonly string[] {
  const indexes = shape.indexes ?? []
  const columns = Object.entries(shape.columns)
  const body = [
    ...columns.map(([name, text]) => column(traits, name, text)),
    ...indexes.flatMap((index) => hiddenColumn(traits, index)),
    ...(shape.constraints ?? []),
    ...columns.flatMap(([name, text]) => foreignKey(traits, name, text)),
    ...(traits.hasInnerIndexes ? indexes.map((index) => innerIndex(traits, shape.name, index)) : []),
  ].join(',\n  ')
  const table = `create table ${traits.quote(shape.name)} (\n  ${body}\n) ${traits.tableSuffix}`
  if (traits.hasInnerIndexes) return [table]
  return [table, ...indexes.map((index) => outerIndex(traits, shape.name, index))]
}

const REFERENCES = /\s*\breferences \w+ \(\w+\)/

/**
 * Translates `int8 null unique` into the engine's type and the rest. A column is `not null` unless it says
 * `null`.
 */
function column(traits: Traits, name: string, text: string): string {
  const [word = '', ...rest] = text.replace(REFERENCES, '').split(' ')
  if (!isColumnWord(traits, word)) throw new Error(`unknown column type ${word}`)
  if (word === 'id') return `${traits.quote(name)} ${traits.types.id}`
  const tail = rest[0] === 'null' ? rest.slice(1) : ['not null', ...rest]
  return [traits.quote(name), traits.types[word], ...tail].join(' ')
}

function isColumnWord(traits: Traits, word: string): word is ColumnWord {
  return word in traits.types
}

/** A separate clause after the columns, because MySQL ignores `references` within a column. */
function foreignKey(traits: Traits, name: string, text: string): readonly string[] {
  const [references] = REFERENCES.exec(text) ?? []
  return references ? [`foreign key (${traits.quote(name)})${references}`] : []
}

function outerIndex(traits: Traits, table: string, index: IndexShape): string {
  const { name, unique, columns } = indexParts(traits, table, index)
  return `create ${unique}index ${name} on ${traits.quote(table)} (${columns})`
}

function innerIndex(traits: Traits, table: string, index: IndexShape): string {
  const { name, unique, columns } = indexParts(traits, table, index)
  return `${unique}index ${name} (${columns})`
}

function indexParts(traits: Traits, table: string, index: IndexShape) {
  return {
    name: traits.quote(`${table}_${index.columns.join('_')}`),
    unique: (index.isUnique ?? index.isUniqueUnlessEmpty) ? 'unique ' : '',
    columns: index.columns.map((column) => expression(traits, column, index)).join(', '),
  }
}

function expression(traits: Traits, column: string, index: IndexShape): string {
  if (!index.isUniqueUnlessEmpty) return traits.quote(column)
  if (traits.partialUnique === 'hidden column') return traits.quote(hiddenName(column))
  return `(nullif(${traits.quote(column)}, ''))`
}

/**
 * A generated column that is null where the value is empty, since nulls never collide in a unique index.
 * `select *` does not return it.
 */
function hiddenColumn(traits: Traits, index: IndexShape): readonly string[] {
  if (!index.isUniqueUnlessEmpty || traits.partialUnique !== 'hidden column') return []
  return index.columns.map(
    (column) =>
      `${traits.quote(hiddenName(column))} ${traits.types.key} ` +
      `generated always as (nullif(${traits.quote(column)}, '')) virtual invisible`,
  )
}

function hiddenName(column: string): string {
  return `${column}_unless_empty`
}
