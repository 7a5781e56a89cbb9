/** Names of copies; sorted by name they are sorted by time. Nothing with another name is ever removed. */

const COPY = /^tollgate-\d{8}T\d{6}Z\.db$/

/** For example `tollgate-20261124T033000Z.db`. */
export function copyName(nowMs: number): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  return `tollgate-${time}.db`
}

const DRAFT = /^tollgate-\d{8}T\d{6}Z\.db\.new/

/** The name of a copy beside the database, before it is audited. */
export function draftName(copy: string): string {
  return `${copy}.new`
}

/** With what `tollgate backup` and SQLite write beside it. */
export function isDraft(name: string): boolean {
  return DRAFT.test(name)
}

/** The copies that are too many, oldest first. */
export function surplusCopies(names: readonly string[], keep: number): readonly string[] {
  const copies = names.filter((name) => COPY.test(name)).toSorted()
  return copies.slice(0, Math.max(0, copies.length - keep))
}
