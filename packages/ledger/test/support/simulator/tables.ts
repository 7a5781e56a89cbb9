import type { Row } from './rows.ts'

const NAMES = [
  'account',
  'hold',
  'entry',
  'price',
  'instance',
  'allotment',
  'journal',
  'journal_rejected',
] as const

export type TableName = (typeof NAMES)[number]

/** The committed rows. */
export class Tables {
  readonly #rows = new Map<TableName, Map<string, Row>>(NAMES.map((name) => [name, new Map<string, Row>()]))

  of(name: TableName): Map<string, Row> {
    const rows = this.#rows.get(name)
    if (!rows) throw new Error(`there is no table ${name}`)
    return rows
  }
}

/** The uncommitted changes of a transaction. `undefined` stands for a deleted row. */
export class Transaction {
  readonly #changes = new Map<TableName, Map<string, Row | undefined>>()
  hasFailed = false

  get(tables: Tables, name: TableName, key: string): Row | undefined {
    const changes = this.#changes.get(name)
    return changes?.has(key) ? changes.get(key) : tables.of(name).get(key)
  }

  /** All keys of the table, as this transaction sees it. */
  keys(tables: Tables, name: TableName): readonly string[] {
    return [...new Set([...tables.of(name).keys(), ...(this.#changes.get(name)?.keys() ?? [])])]
  }

  put(name: TableName, key: string, row: Row | undefined): void {
    const changes = this.#changes.get(name) ?? new Map<string, Row | undefined>()
    this.#changes.set(name, changes.set(key, row))
  }

  commit(tables: Tables): void {
    for (const [name, changes] of this.#changes)
      for (const [key, row] of changes)
        if (row) tables.of(name).set(key, row)
        else tables.of(name).delete(key)
  }
}
