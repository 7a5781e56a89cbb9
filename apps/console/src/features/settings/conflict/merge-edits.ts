import { parseObject } from '@tollgate/kit/json'

/** Two edits of one text, merged. */
export interface MergedEdits {
  /** Their changes, and ours where both changed the same entry. */
  readonly text: string
  /**
   * The entries that both changed, to different values; `undefined` if the text is in conflict as a whole.
   */
  readonly contested: readonly string[] | undefined
}

interface Versions {
  readonly base: string
  readonly theirs: string
  readonly ours: string
}

/** Merges JSON objects entry by entry; for any other text, ours is kept. */
export function joined({ base, theirs, ours }: Versions): MergedEdits {
  const [before, their, our] = [base, theirs, ours].map(entriesOf)
  if (before === undefined || their === undefined || our === undefined)
    return { text: ours, contested: undefined }
  const isOurs = (name: string) => !isSame(before.get(name), our.get(name))
  const isTheirs = (name: string) => !isSame(before.get(name), their.get(name))
  const changed = [...new Set([...before.keys(), ...our.keys()])].filter(isOurs)
  const result = new Map(their)
  for (const name of changed) {
    if (our.has(name)) result.set(name, our.get(name))
    else result.delete(name)
  }
  return {
    text: JSON.stringify(Object.fromEntries(result), undefined, 2),
    contested: changed.filter((name) => isTheirs(name) && !isSame(their.get(name), our.get(name))),
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

function entriesOf(text: string): ReadonlyMap<string, unknown> | undefined {
  const value = parseObject(text)
  return value && new Map(Object.entries(value))
}
